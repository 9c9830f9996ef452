## Holds feet where they have landed, on ground of any shape, over whatever pose the skeleton has been given.
##
## A foot that stands turns over its lowest point, heel, ball or toe, which stays where it came down; one that swings loses, softly, what it
## is off its pose.  The pelvis sinks as far as the legs need, and each leg is solved by two bones.
extends SkeletonModifier3D

const ClipSet := preload("clip_set.gd")
const SOFT_S := 0.07  ## half-life of what a swinging foot is off
const SETTLE_S := 0.025  ## of what a standing one is off the ground
const TILT_S := 0.06
const TWIST := deg_to_rad(65.0)  ## the most that a standing foot stays behind its pose, before it turns on the spot
const STRAIGHT := 0.997  ## of the leg, the longest reach
const SINK := 0.25  ## of the leg, the most that the pelvis sinks
const SINK_S := 0.05
const RISE_S := 0.12
const HEEL := deg_to_rad(35.0)  ## the most that a heel rises for that
const RAISE := 0.04  ## of the leg, that a risen heel makes up for
const STEP := 0.5  ## of the leg: ground that is higher or lower than the body's is not stepped on
const STEEP := deg_to_rad(50.0)
const BRUSH := 0.009  ## of the leg: so near the ground a foot touches it
const CLEARS := 0.02  ## of the leg: so high a foot swings at least
const SAME := 0.0007  ## of the leg: so much lower another point has to be to become the one turned over
const AHEAD_S := 0.12  ## for how long ahead a swinging foot minds the ground


## What is known of a foot; places and turns in the world.
class Foot:
	var down := true
	var off := Vector3.ZERO  ## of the ankle, from its pose
	var flow := Vector3.ZERO  ## how fast that changes
	var heading := 0.0  ## radians, held while it stands
	var swerve := 0.0  ## radians off its pose's heading
	var veer := 0.0  ## how fast that changes
	var rest := Quaternion.IDENTITY  ## what is left of a pose that was left
	var tilt := Quaternion.IDENTITY  ## onto the ground
	var lowest := -1  ## the point that is turned over
	var points := PackedVector3Array()  ## as they were last
	var ankle := Vector3.ZERO  ## the same
	var turn := Quaternion.IDENTITY
	var posed := Vector3.ZERO  ## the pose's ankle, the same
	var ground := Vector3.ZERO
	var normal := Vector3.UP


var clip_set: ClipSet
var on_ground := true  ## look for the ground by rays; else it is flat, at the body's height
var mask := 1  ## of the rays
var body: Node3D  ## at whose origin it stands
var steps := [0.0, 0.0]  ## where each foot is in its cycle: below 1 it stands, to 2 it swings
var lead := 0.0  ## radians to the left by which a swinging foot is turned ahead of its pose
var jumped := false  ## the pose is another one than a frame ago: go on from where feet are
var feet: Array[Foot] = [Foot.new(), Foot.new()]
var sunk := 0.0  ## metres
var strain := 0.0  ## of the leg: by how much the pelvis should sink for feet that stand
var _sinking := 0.0
var _fresh := true


## How much further the body may turn a way, 1 to the left or -1, before a standing foot has to turn on the spot: 1 to 0.
func ease_of(way: float) -> float:
	var left := clampf(1.0 - 6.0 * strain, 0.0, 1.0)
	for foot in feet:
		if foot.down:
			left = minf(left, clampf((TWIST + way * foot.swerve) / (0.4 * TWIST), 0.0, 1.0))
	return left


## Begin anew, wherever it is.
func reset() -> void:
	feet = [Foot.new(), Foot.new()]
	sunk = 0.0
	_sinking = 0.0
	_fresh = true


func _process_modification_with_delta(delta: float) -> void:
	var skeleton := get_skeleton()
	var there := skeleton.global_transform
	var targets: Array[Transform3D] = []
	for side in 2:
		targets.append(_placed(side, there * skeleton.get_bone_global_pose(clip_set.legs[side][2]), skeleton, there, delta))
	_fresh = false
	jumped = false
	var reaches := [_reach(0, skeleton), _reach(1, skeleton)]
	_sink(skeleton, there, targets, delta)
	for side in 2:
		_solve(side, skeleton, there, targets[side], reaches[side])


## Where a foot goes instead of its pose.
func _placed(side: int, posed: Transform3D, skeleton: Skeleton3D, there: Transform3D, delta: float) -> Transform3D:
	var foot := feet[side]
	var turn := posed.basis.get_rotation_quaternion()
	var heading := _heading(side, turn)
	var seen := _points(side, skeleton, there)
	if _fresh:
		foot.down = steps[side] < 1.0
		foot.ankle = posed.origin
		foot.turn = turn
		foot.heading = heading
		foot.points = seen
		foot.ground = Vector3(posed.origin.x, body.global_position.y, posed.origin.z)
	_feel(foot, posed, delta)
	if jumped:
		foot.off = foot.ankle - posed.origin
		foot.flow = Vector3.ZERO
		foot.heading = _heading(side, foot.turn)
		foot.swerve = wrapf(foot.heading - heading, -PI, PI)
		foot.rest = foot.turn * (foot.tilt * Quaternion(Vector3.UP, foot.swerve) * turn).inverse()
	foot.rest = foot.rest.slerp(Quaternion.IDENTITY, _share(delta, TILT_S))
	if steps[side] < 1.0 and not foot.down:
		foot.heading = heading + foot.swerve
		foot.lowest = -1
	foot.down = steps[side] < 1.0
	if foot.down:
		var before := foot.swerve
		foot.swerve = clampf(wrapf(foot.heading - heading, -PI, PI), -TWIST, TWIST)
		foot.heading = heading + foot.swerve
		foot.veer = (foot.swerve - before) / maxf(delta, 1e-4)
	else:
		var loose := spring(foot.swerve - lead, foot.veer, SOFT_S, delta)
		foot.swerve = lead + loose.x
		foot.veer = loose.y
	var pitched := foot.rest * foot.tilt * Quaternion(Vector3.UP, foot.swerve)
	var moved := PackedVector3Array()  # the points, turned, before the ankle is moved
	for point in seen:
		moved.append(posed.origin + pitched * (point - posed.origin))
	if foot.down:
		_stand(foot, moved, delta)
	else:
		_swing(foot, moved, steps[side] - 1.0, delta)
		_brush(foot, moved, delta)
	for row in moved.size():
		moved[row] += foot.off
	foot.points = moved
	foot.posed = posed.origin
	foot.ankle = posed.origin + foot.off
	foot.turn = (pitched * turn).normalized()
	return Transform3D(Basis(foot.turn), foot.ankle)


## How a foot has turned from rest, about the upright: by its left, which is level on tiptoe too.
func _heading(side: int, turn: Quaternion) -> float:
	return ClipSet.angle(turn * (clip_set.rests[side].inverse() * Vector3.RIGHT)) - 0.5 * PI


## The sole's points in the world, with the toes as the pose has them.
func _points(side: int, skeleton: Skeleton3D, there: Transform3D) -> PackedVector3Array:
	var found := PackedVector3Array()
	for point: Array in clip_set.points[side].values():
		found.append(there * (skeleton.get_bone_global_pose(point[0]) * point[1]))
	return found


func _stand(foot: Foot, moved: PackedVector3Array, delta: float) -> void:
	var lowest := _lowest(foot, moved)
	var before := foot.off
	var held := foot.points[lowest] - moved[lowest]
	foot.lowest = lowest
	var gap := _above(foot, moved[lowest] + held)
	foot.off = Vector3(held.x, held.y - gap * (1.0 if gap < 0.0 else _share(delta, SETTLE_S)), held.z)
	foot.flow = (foot.off - before) / maxf(delta, 1e-4)


func _swing(foot: Foot, moved: PackedVector3Array, gone: float, delta: float) -> void:
	var rise := foot.ground.y - body.global_position.y
	var x := spring(foot.off.x, foot.flow.x, SOFT_S, delta)
	var y := spring(foot.off.y - rise, foot.flow.y, SOFT_S, delta)
	var z := spring(foot.off.z, foot.flow.z, SOFT_S, delta)
	foot.off = Vector3(x.x, y.x + rise, z.x)
	foot.flow = Vector3(x.y, y.y, z.y)
	var least := CLEARS * clip_set.leg * smoothstep(0.0, 0.25, gone) * smoothstep(1.0, 0.75, gone)
	for point in moved:
		var above := _above(foot, point + foot.off) - least
		if above < 0.0:
			foot.off.y -= above
			foot.flow.y = maxf(foot.flow.y, 0.0)


## As long as a foot that rises or comes down all but touches the ground, it does not move along it.
func _brush(foot: Foot, moved: PackedVector3Array, delta: float) -> void:
	var lowest := _lowest(foot, moved)
	if _fresh or _above(foot, moved[lowest] + foot.off) > BRUSH * clip_set.leg or _above(foot, foot.points[lowest]) > BRUSH * clip_set.leg:
		foot.lowest = -1
		return
	var held := foot.points[lowest] - moved[lowest] - foot.off
	foot.off += Vector3(held.x, 0.0, held.z)
	foot.flow += Vector3(held.x, 0.0, held.z) / maxf(delta, 1e-4)
	foot.lowest = lowest


## The lowest point, and rather the one of before.
func _lowest(foot: Foot, moved: PackedVector3Array) -> int:
	var found := maxi(foot.lowest, 0)
	for row in moved.size():
		if _above(foot, moved[row]) < _above(foot, moved[found]) - (SAME * clip_set.leg if foot.lowest >= 0 else 0.0):
			found = row
	return found


static func _above(foot: Foot, point: Vector3) -> float:
	return (point - foot.ground).dot(foot.normal) / foot.normal.y


## Learn the ground under a foot: where it stands, or will in a moment.
func _feel(foot: Foot, posed: Transform3D, delta: float) -> void:
	var level := body.global_position.y
	var at := posed.origin + foot.off
	var found := _ray(at, level)
	if steps[feet.find(foot)] >= 1.0 and delta > 0.0 and not _fresh and not jumped:
		var next := _ray(at + (posed.origin - foot.posed) / delta * AHEAD_S, level)
		if next[0].y > found[0].y:
			found = next
	if foot.down and steps[feet.find(foot)] < 1.0 and not _fresh:
		# Where it stands nothing changes but what moves there.
		foot.ground.y += clampf(_height(found, foot.ground) - foot.ground.y, -0.5 * delta, 0.5 * delta) if on_ground else level - foot.ground.y
	else:
		foot.ground = found[0]
	var normal: Vector3 = found[1]
	if normal.angle_to(Vector3.UP) > STEEP:
		normal = Vector3.UP
	foot.normal = foot.normal.lerp(normal, _share(delta, TILT_S)).normalized()
	foot.tilt = Quaternion(Vector3.UP, foot.normal)


static func _height(found: Array, at: Vector3) -> float:
	var normal: Vector3 = found[1]
	return found[0].y - ((at.x - found[0].x) * normal.x + (at.z - found[0].z) * normal.z) / normal.y


## The ground at a place: [point, normal].
func _ray(at: Vector3, level: float) -> Array:
	var flat := [Vector3(at.x, level, at.z), Vector3.UP]
	if not on_ground:
		return flat
	var reach := STEP * clip_set.leg
	var ray := PhysicsRayQueryParameters3D.create(Vector3(at.x, level + reach, at.z), Vector3(at.x, level - reach, at.z), mask)
	if body is CollisionObject3D:
		ray.exclude = [body.get_rid()]
	var hit := body.get_world_3d().direct_space_state.intersect_ray(ray)
	return [hit["position"], hit["normal"]] if hit and hit["normal"] != Vector3.ZERO else flat


## Lower the pelvis as far as feet are too far away for legs, their heels risen.
func _sink(skeleton: Skeleton3D, there: Transform3D, targets: Array[Transform3D], delta: float) -> void:
	var lower := 0.0
	strain = 0.0
	for side in 2:
		var hip := there * skeleton.get_bone_global_pose(clip_set.legs[side][0]).origin
		var way := targets[side].origin - hip
		var longest := _reach(side, skeleton) + (RAISE * clip_set.leg if feet[side].lowest >= 0 else 0.0)
		var needed := maxf(-way.y - sqrt(maxf(longest * longest - way.x * way.x - way.z * way.z, 0.0)), 0.0)
		if feet[side].down:
			strain = maxf(strain, needed / clip_set.leg)
		lower = maxf(lower, needed)
	lower = minf(lower, SINK * clip_set.leg)
	var eased := spring(sunk - lower, _sinking, SINK_S if lower > sunk else RISE_S, delta)
	sunk = maxf(lower + eased.x, 0.0)
	_sinking = eased.y
	if sunk > 1e-5:
		var pose := skeleton.get_bone_global_pose(clip_set.pelvis)
		pose.origin += there.basis.inverse() * Vector3(0.0, -sunk, 0.0)
		skeleton.set_bone_global_pose(clip_set.pelvis, pose.orthonormalized())


## How far a leg goes: as in its pose, or nearly straight.
func _reach(side: int, skeleton: Skeleton3D) -> float:
	var parts: Array = clip_set.legs[side]
	return maxf(STRAIGHT * clip_set.leg, skeleton.get_bone_global_pose(parts[0]).origin.distance_to(skeleton.get_bone_global_pose(parts[2]).origin))


## Bend a leg so that the foot is where it should be; where it stands too far away, its heel rises over the point that it stands on.
func _solve(side: int, skeleton: Skeleton3D, there: Transform3D, target: Transform3D, reach: float) -> void:
	var foot := feet[side]
	var to := there.affine_inverse() * target
	var toe: int = clip_set.points[side].values()[-1][0]
	var over := maxi(foot.lowest, 1) if toe != clip_set.legs[side][2] else 2  # the ball, or the toes
	if foot.lowest >= 0 and _above(foot, foot.points[over]) < BRUSH * clip_set.leg:
		var pivot := there.affine_inverse() * foot.points[over]
		if over < 2:  # about the joint of the toes, which lie still
			pivot = to * (skeleton.get_bone_global_pose(clip_set.legs[side][2]).affine_inverse() * skeleton.get_bone_global_pose(toe).origin)
		var hip := skeleton.get_bone_global_pose(clip_set.legs[side][0]).origin - pivot
		var arm := to.origin - pivot
		var most := hip.length() * arm.length()
		if (hip - arm).length() > reach and most > 1e-6 and arm.cross(hip).length() > 1e-6:
			var open := acos(clampf((hip.length_squared() + arm.length_squared() - reach * reach) / (2.0 * most), -1.0, 1.0))
			var raised := Basis(arm.cross(hip).normalized(), clampf(arm.angle_to(hip) - open, 0.0, HEEL))
			to = Transform3D(raised * to.basis, pivot + raised * arm)
			solve(skeleton, clip_set.legs[side], clip_set.hinges[side], to)
			if over < 2:  # toes stay on the ground, and bend
				var pose := skeleton.get_bone_global_pose(toe)
				skeleton.set_bone_global_pose(toe, Transform3D(raised.inverse() * pose.basis, pose.origin).orthonormalized())
			return
	solve(skeleton, clip_set.legs[side], clip_set.hinges[side], to)


## Bend thigh and shin, rows of `parts`, about an axis seen from the thigh, and place the foot, all seen from the skeleton.
static func solve(skeleton: Skeleton3D, parts: Array, hinge: Vector3, target: Transform3D) -> void:
	var thigh := skeleton.get_bone_global_pose(parts[0])
	var shin := skeleton.get_bone_global_pose(parts[1])
	var foot := skeleton.get_bone_global_pose(parts[2])
	var upper := thigh.origin.distance_to(shin.origin)
	var lower := shin.origin.distance_to(foot.origin)
	var way := target.origin - thigh.origin
	var far := clampf(way.length(), absf(upper - lower) * 1.01 + 1e-4, (upper + lower) * 0.9995)
	way = way.normalized()
	var was := (foot.origin - thigh.origin).normalized()
	var axis := thigh.basis * hinge
	axis = (axis - axis.dot(was) * was).normalized()
	var bent := Quaternion(was, way) * axis
	var bend := acos(clampf((upper * upper + far * far - lower * lower) / (2.0 * upper * far), -1.0, 1.0))
	var knee := thigh.origin + upper * way.rotated(bent, -bend)
	var ankle := thigh.origin + far * way
	thigh.basis = _swung(shin.origin - thigh.origin, axis, knee - thigh.origin, bent) * thigh.basis
	var turned := Transform3D(_swung(foot.origin - shin.origin, axis, ankle - knee, bent) * shin.basis, knee)
	skeleton.set_bone_global_pose(parts[0], thigh.orthonormalized())
	skeleton.set_bone_global_pose(parts[1], turned.orthonormalized())
	skeleton.set_bone_global_pose(parts[2], Transform3D(target.basis.orthonormalized(), ankle))


## The turn that takes a bone and the axis beside it to others.
static func _swung(bone: Vector3, axis: Vector3, to: Vector3, to_axis: Vector3) -> Basis:
	return _frame(to, to_axis) * _frame(bone, axis).transposed()


static func _frame(bone: Vector3, axis: Vector3) -> Basis:
	var along := bone.normalized()
	var across := (axis - axis.dot(along) * along).normalized()
	return Basis(along, across, along.cross(across))


## How much of something is gone after a while.
static func _share(delta: float, half_life: float) -> float:
	return 1.0 - pow(2.0, -delta / half_life)


## A value and its speed, drawn to zero without overshoot.
static func spring(value: float, speed: float, half_life: float, delta: float) -> Vector2:
	var stiff := 0.69314718 * 2.0 / half_life
	var pull := speed + value * stiff
	var left := exp(-stiff * delta)
	return Vector2(left * (value + pull * delta), left * (speed - pull * stiff * delta))
