"""Rotations as 3x3 matrices `(..., 3, 3)` and quaternions `(..., 4)` in w, x, y, z order.

Right-handed, column vectors: `rotated = matrix @ vector`.  Every function works on any leading shape.
"""

import numpy as np

TINY = 1e-12
TURN = 2.0 * np.pi
UP = np.array([0.0, 0.0, 1.0])  # in the world, in the walk frame and of the ground
ON_GROUND = np.array([1.0, 1.0, 0.0])  # times a vector: what of it is level


def dot(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the scalar products `(...)` of vectors `(..., n)`; several times faster than a sum over a short
    last axis."""
    return np.einsum("...i,...i->...", first, second)


def norms(vector: np.ndarray) -> np.ndarray:
    """Return the lengths `(...)` of vectors `(..., n)`."""
    return np.sqrt(dot(vector, vector))


def normalized(vector: np.ndarray) -> np.ndarray:
    """Return unit vectors `(..., 3)`; a zero vector stays zero."""
    return vector / np.maximum(np.sqrt(np.add.reduce(vector * vector, axis=-1, keepdims=True)), TINY)


def rejected(vector: np.ndarray, along: np.ndarray) -> np.ndarray:
    """Return vectors `(..., 3)` without their part along unit directions `(..., 3)`."""
    return vector - dot(vector, along)[..., None] * along


def wrapped(angle: np.ndarray) -> np.ndarray:
    """Return angles without their whole turns, in -pi..pi."""
    return angle - TURN * np.rint(angle / TURN)


def off_segments(points: np.ndarray, starts: np.ndarray, along: np.ndarray) -> np.ndarray:
    """Return the distances `(...)` of points from segments that begin at `starts` and lead `along`, all
    `(..., n)`."""
    away = points - starts
    share = np.clip(dot(away, along) / np.maximum(dot(along, along), 1e-24), 0.0, 1.0)
    return norms(away - share[..., None] * along)


def about_x(angle: np.ndarray) -> np.ndarray:
    """Return rotations `(..., 3, 3)` by `angle` radians about x."""
    return _about(angle, 0)


def about_y(angle: np.ndarray) -> np.ndarray:
    """Return rotations `(..., 3, 3)` by `angle` radians about y."""
    return _about(angle, 1)


def about_z(angle: np.ndarray) -> np.ndarray:
    """Return rotations `(..., 3, 3)` by `angle` radians about z."""
    return _about(angle, 2)


def _about(angle: np.ndarray, axis: int) -> np.ndarray:
    cos, sin = np.cos(angle), np.sin(angle)
    matrix = np.zeros_like(cos, shape=cos.shape + (3, 3))
    first, second = (axis + 1) % 3, (axis + 2) % 3
    matrix[..., axis, axis] = 1.0
    matrix[..., first, first] = matrix[..., second, second] = cos
    matrix[..., first, second] = -sin
    matrix[..., second, first] = sin
    return matrix


def from_euler(pitch: np.ndarray, yaw: np.ndarray, roll: np.ndarray) -> np.ndarray:
    """Return Rz(yaw) Ry(pitch) Rx(roll) `(..., 3, 3)`, the project's order (docs/internals/architecture.md,
    Frames)."""
    cp, sp = np.cos(pitch), np.sin(pitch)
    cy, sy = np.cos(yaw), np.sin(yaw)
    cr, sr = np.cos(roll), np.sin(roll)
    matrix = np.empty(np.broadcast_shapes(np.shape(pitch), np.shape(yaw), np.shape(roll)) + (3, 3))
    matrix[..., 0, 0], matrix[..., 0, 1], matrix[..., 0, 2] = (
        cy * cp,
        cy * sp * sr - sy * cr,
        cy * sp * cr + sy * sr,
    )
    matrix[..., 1, 0], matrix[..., 1, 1], matrix[..., 1, 2] = (
        sy * cp,
        sy * sp * sr + cy * cr,
        sy * sp * cr - cy * sr,
    )
    matrix[..., 2, 0], matrix[..., 2, 1], matrix[..., 2, 2] = -sp, cp * sr, cp * cr
    return matrix


def to_euler(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return pitch, yaw and roll `(...)` of rotations `(..., 3, 3)`; the inverse of `from_euler` for pitches
    between -pi/2 and pi/2."""
    pitch = np.arcsin(np.clip(-matrix[..., 2, 0], -1.0, 1.0))
    return pitch, yaw_of(matrix), np.arctan2(matrix[..., 2, 1], matrix[..., 2, 2])


def from_axis_angle(axis: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """Return rotations `(..., 3, 3)` by `angle` radians about unit `axis` `(..., 3)` (Rodrigues)."""
    cos, sin = np.cos(angle), np.sin(angle)
    x, y, z = axis[..., 0], axis[..., 1], axis[..., 2]
    rest = 1.0 - cos
    matrix = np.empty(np.broadcast_shapes(np.shape(angle), np.shape(x)) + (3, 3))
    matrix[..., 0, 0], matrix[..., 0, 1], matrix[..., 0, 2] = (
        cos + rest * x * x,
        rest * x * y - sin * z,
        rest * x * z + sin * y,
    )
    matrix[..., 1, 0], matrix[..., 1, 1], matrix[..., 1, 2] = (
        rest * x * y + sin * z,
        cos + rest * y * y,
        rest * y * z - sin * x,
    )
    matrix[..., 2, 0], matrix[..., 2, 1], matrix[..., 2, 2] = (
        rest * x * z - sin * y,
        rest * y * z + sin * x,
        cos + rest * z * z,
    )
    return matrix


# vector @ SKEW: the nine numbers of its cross_matrix, row by row.
SKEW = np.cross(np.eye(3)[:, None], np.eye(3)).swapaxes(-1, -2).reshape(3, 9)


def cross_matrix(vector: np.ndarray) -> np.ndarray:
    """Return the matrices `(..., 3, 3)` of the cross product `vector x`."""
    x, y, z = vector[..., 0], vector[..., 1], vector[..., 2]
    matrix = np.zeros(vector.shape + (3,))
    matrix[..., 0, 1], matrix[..., 0, 2], matrix[..., 1, 2] = -z, y, -x
    matrix[..., 1, 0], matrix[..., 2, 0], matrix[..., 2, 1] = z, -y, x
    return matrix


def cross(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the cross products `(..., 3)`, number for number as `np.cross`, which takes twice as long for
    few vectors."""
    x, y, z, a, b, c = (one[..., axis] for one in (first, second) for axis in range(3))
    last = x * b - y * a
    found = np.zeros_like(last, shape=(*last.shape, 3))
    found[..., 0], found[..., 1], found[..., 2] = y * c - z * b, z * a - x * c, last
    return found


def between(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the shortest rotations `(..., 3, 3)` that take direction `start` to `end`.

    Opposite directions turn by pi about some perpendicular axis.
    """
    start, end = np.broadcast_arrays(normalized(start), normalized(end))
    cos = np.add.reduce(start * end, axis=-1)[..., None, None]
    skew = cross_matrix(cross(start, end))
    matrix = np.eye(3) + skew + skew @ skew / np.maximum(1.0 + cos, 1e-9)
    opposite = cos < -1.0 + 1e-9
    if opposite.any():
        axis = perpendicular(start)
        half_turn = 2.0 * axis[..., :, None] * axis[..., None, :] - np.eye(3)
        matrix = np.where(opposite, half_turn, matrix)
    return matrix


def perpendicular(vector: np.ndarray) -> np.ndarray:
    """Return unit vectors `(..., 3)` perpendicular to `vector`."""
    smallest = np.argmin(np.abs(vector), axis=-1)
    return normalized(cross(vector, np.eye(3)[smallest]))


def frame(primary: np.ndarray, secondary: np.ndarray) -> np.ndarray:
    """Return frames `(..., 3, 3)` whose columns are `primary`, `secondary` made perpendicular to it, and
    their cross product."""
    first = normalized(primary)
    second = normalized(secondary - np.add.reduce(secondary * first, axis=-1, keepdims=True) * first)
    return np.stack([first, second, cross(first, second)], axis=-1)


def orthonormal(matrix: np.ndarray) -> np.ndarray:
    """Return uniformly scaled rotations `(..., 3, 3)` without their scale."""
    return matrix / np.cbrt(np.linalg.det(matrix))[..., None, None]


def transposed(matrix: np.ndarray) -> np.ndarray:
    """Return the inverse rotations `(..., 3, 3)`."""
    return np.swapaxes(matrix, -1, -2)


def rotated(matrix: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Return vectors `(..., 3)` rotated by rotations `(..., 3, 3)`."""
    return (matrix @ vector[..., None])[..., 0]


def times(matrices: np.ndarray, fixed: np.ndarray) -> np.ndarray:
    """Return `matrices @ fixed` for many matrices `(..., 3, 3)` and one: a large product is several times
    faster than many small ones."""
    return (matrices.reshape(-1, 3) @ fixed).reshape(matrices.shape)


def to_quaternion(matrix: np.ndarray) -> np.ndarray:
    """Return unit quaternions `(..., 4)`, w >= 0, of rotation matrices (Bar-Itzhack's largest-component
    form)."""
    m = np.asarray(matrix, dtype=float)
    numbers = m.reshape(-1, 9)
    # Row n is 4 times component n times the whole quaternion: a row with a large component is exact, and w is
    # large most often.
    quaternion = numbers.dot(_W_PRODUCTS) + _W_SQUARES
    w = quaternion[:, 0]
    if len(w) and not w.item(w.argmin()) > _LARGE:
        rows = (numbers.dot(_PRODUCTS) + _SQUARES).reshape(-1, 4, 4)
        largest = rows.reshape(-1, 16)[:, ::5].argmax(axis=-1)
        quaternion = rows[np.arange(len(rows)), largest]
        quaternion *= np.copysign(1.0, quaternion[:, :1])
    return (quaternion / np.sqrt((quaternion * quaternion).dot(_ONES))).reshape(m.shape[:-2] + (4,))


def _quaternion_products() -> np.ndarray:
    """Return the matrix `(9, 16)` from a rotation matrix to 4 times the products of its quaternion's
    components, less a constant."""
    found = np.zeros((3, 3, 4, 4))
    for axis, (first, second) in enumerate(((1, 2), (2, 0), (0, 1))):
        found[second, first, 0, axis + 1] = found[second, first, axis + 1, 0] = 1.0
        found[first, second, 0, axis + 1] = found[first, second, axis + 1, 0] = -1.0
        found[second, first, first + 1, second + 1] = found[second, first, second + 1, first + 1] = 1.0
        found[first, second, first + 1, second + 1] = found[first, second, second + 1, first + 1] = 1.0
        found[axis, axis, 0, 0] = found[axis, axis, axis + 1, axis + 1] = 1.0
        found[axis, axis, first + 1, first + 1] = found[axis, axis, second + 1, second + 1] = -1.0
    return found.reshape(9, 16)


_PRODUCTS, _SQUARES, _ONES = _quaternion_products(), np.eye(4).reshape(16), np.ones((4, 4))
_W_PRODUCTS, _W_SQUARES = _PRODUCTS[:, :4].copy(), _SQUARES[:4]
_LARGE = 0.25  # 4 w^2 above this: the rotation is below 150 degrees


def continuous_quaternions(rows: np.ndarray) -> np.ndarray:
    """Return quaternions `(f, 4)`, each of the sign that is nearer to the row before."""
    turned_away = dot(rows[1:], rows[:-1]) < 0.0
    return rows * np.where(np.cumsum(np.append(False, turned_away)) % 2 == 1, -1.0, 1.0)[:, None]


def from_quaternion(quaternion: np.ndarray) -> np.ndarray:
    """Return rotation matrices `(..., 3, 3)` of unit quaternions `(..., 4)`."""
    w, x, y, z = np.moveaxis(np.asarray(quaternion, dtype=float), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, -1) for row in rows], -2)


def rotation_vector(matrix: np.ndarray) -> np.ndarray:
    """Return axis times angle `(..., 3)` in radians, angle in 0..pi."""
    quaternion = to_quaternion(matrix)
    sin_half = np.sqrt(np.add.reduce(quaternion[..., 1:] ** 2, axis=-1, keepdims=True))
    angle = 2.0 * np.arctan2(sin_half, quaternion[..., :1])
    return quaternion[..., 1:] * np.where(sin_half > 1e-9, angle / np.maximum(sin_half, 1e-9), 2.0)


def from_rotation_vector(vector: np.ndarray) -> np.ndarray:
    """Return rotations `(..., 3, 3)` about vectors `(..., 3)` by their lengths in radians; the inverse of
    `rotation_vector`."""
    return from_axis_angle(normalized(vector), norms(vector))


def twist(matrix: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """Return by how much rotations `(..., 3, 3)` turn about a unit axis `(..., 3)`, `(...)` in -pi..pi: the
    twist of swing and twist."""
    quaternion = to_quaternion(matrix)
    return 2.0 * np.arctan2(dot(quaternion[..., 1:], axis), quaternion[..., 0])


def yaw_of(matrix: np.ndarray) -> np.ndarray:
    """Return where rotations `(..., 3, 3)` head: how far x is turned about z `(...)`, in radians."""
    return np.arctan2(matrix[..., 1, 0], matrix[..., 0, 0])


def part_way(start: np.ndarray, end: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return the rotations interpolated by `share` (0..1) from `start` to `end` along the shortest arc."""
    return start @ from_rotation_vector(
        rotation_vector(transposed(start) @ end) * np.asarray(share, dtype=float)[..., None]
    )


def turned_towards(line: np.ndarray, direction: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return lines `(f, 3)` of unchanged length, turned by a share `(f,)` (0..1) along the shortest arc to a
    direction `(f, 3)`."""
    start, end = normalized(line), normalized(direction)
    angle = np.arctan2(norms(cross(start, end)), dot(start, end))
    aside = normalized(rejected(end, start))
    part = (np.asarray(share) * angle)[..., None]
    return np.linalg.norm(line, axis=-1, keepdims=True) * (np.cos(part) * start + np.sin(part) * aside)
