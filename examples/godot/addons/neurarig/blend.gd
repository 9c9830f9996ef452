## A pose of a set for a velocity and a phase: loops of all speeds and directions, mixed so that feet land together and stand.
##
## Each foot's way is mixed for itself, at the share of its own stand or swing, and so are the shares, weighed by stride: then mixed feet
## that stand go back exactly as fast as the body goes on, although a walk's feet stand longer than a run's.
extends RefCounted

const ClipSet := preload("clip_set.gd")
const FootLock := preload("foot_lock.gd")
const EASY := 0.55  ## of the slowest loops' cadence, below which steps become shorter instead of slower
const TOP := 1.3  ## of the fastest loops' stride, above which it does not grow
const ASIDE := Vector2(0.5, 1.2)  ## radians off straight ahead, from which on less and beyond which no loops are mixed that only go ahead
const TURNS_S := 0.2  ## in which the loops of another direction are mixed
const CALM := 0.8  ## how much of a pose of no speed is the idle's
const CALMS_S := 0.05  ## half-life of the way there
const MIXES_S := 0.06  ## in which shares follow, so that passing a loop's own speed pushes nobody

var clip_set: ClipSet
var weights := {}  ## Clip -> its share
var quick := 0.0  ## the least cadence, cycles a second
var cadence := 1.0  ## cycles a second
var reach := 1.0  ## of the loops' own stride
var lands := [0.0, 0.5]  ## phases
var stands := [0.6, 0.6]  ## shares of the cycle
var turns: Array[Quaternion] = []  ## of the pose, by bone
var places := PackedVector3Array()  ## of the bones that move
var ankles := [Vector3.ZERO, Vector3.ZERO]  ## targets, seen from the root
var soles := [Quaternion.IDENTITY, Quaternion.IDENTITY]  ## against the rest
var _along := Vector3.BACK
var _calm := Vector2.ZERO  # and how fast it changes


func _init(a_set: ClipSet) -> void:
	clip_set = a_set
	turns.resize(clip_set.bones)
	places.resize(clip_set.moving.size())


## Mix for a velocity seen from the body; `wished`: how fast it wants to be, for whose cadence it steps at once; `delta`: seconds since
## the last time, for a direction that changes smoothly.
func aim(velocity: Vector3, wished := 0.0, delta := INF) -> void:
	var speed := velocity.length()
	if speed > 0.02:
		var off := _along.signed_angle_to(velocity, Vector3.UP)
		_along = _along.rotated(Vector3.UP, off * (1.0 - exp(-delta / TURNS_S)))
	var before := weights
	weights = {}
	var whole := clip_set.rings.filter(func(loops: Array) -> bool: return loops.size() >= 3)
	# Loops that only go ahead are left out the further it goes aside.
	var ahead := 1.0 - smoothstep(ASIDE.x, ASIDE.y, absf(ClipSet.angle(_along))) if whole else 1.0
	_add_of(clip_set.rings, speed, ahead)
	_add_of(whole, speed, 1.0 - ahead)
	_follow(before, exp(-delta / MIXES_S))
	_find_cycle(speed, wished)
	var calm := CALM * clampf(1.0 - reach, 0.0, 1.0)
	var late := FootLock.spring(_calm.x - calm, _calm.y, CALMS_S, delta) if delta < INF else Vector2.ZERO
	_calm = Vector2(calm + late.x, late.y)


## Set the pose at a phase of the cycle, in cycles since the left contact; `clock`: seconds, for the idle that it calms down to.
func pose(phase: float, clock: float) -> void:
	var calm := clampf(_calm.x, 0.0, CALM)
	var mixed := {}
	for clip: ClipSet.Clip in weights:
		mixed[clip] = weights[clip] * (1.0 - calm)
	var idle: ClipSet.Clip = clip_set.idles[0] if clip_set.idles else null
	if idle:
		mixed[idle] = calm
	var first := true
	for clip: ClipSet.Clip in mixed:
		if mixed[clip] > 1e-4:
			var rows := [0.0, 0.0, 0.0]
			if clip == idle:
				rows.fill(fposmod(clock / clip.seconds, 1.0) * clip.frames)
			else:
				rows[2] = _row(clip, phase)
				for side in 2:
					rows[side] = _row_of_foot(clip, side, phase)
			_mix(clip, rows, mixed[clip], first)
			first = false
	for row in turns.size():
		turns[row] = turns[row].normalized()
	_set_feet(phase, idle, fposmod(clock / idle.seconds, 1.0) * idle.frames if idle else 0.0)


## Set the pose of a frame of a clip.
func pose_of(clip: ClipSet.Clip, row: float) -> void:
	_mix(clip, [row, row, row], 1.0, true)
	for side in 2:
		ankles[side] = _between(clip.ankles[side], row)
		soles[side] = _turned(clip.soles[side], row, 0, 1)


## Where a foot is in its own cycle: 0 to 1 while it stands, 1 to 2 while it swings.
func step_of(side: int, phase: float) -> float:
	var gone := fposmod(phase - lands[side], 1.0)
	return gone / stands[side] if gone < stands[side] else 1.0 + (gone - stands[side]) / (1.0 - stands[side])


## Add the loops of the two rings next to a speed.
func _add_of(rings: Array, speed: float, share: float) -> void:
	if rings.is_empty() or share <= 0.0:
		return
	var below := {}
	for loops: Array in rings:
		var mixed := _of_ring(loops, _along)
		if mixed["speed"] >= speed or loops == rings[-1]:
			if below.is_empty() or mixed["speed"] < speed:
				_add(mixed, share)
			else:
				var over := clampf((speed - below["speed"]) / maxf(mixed["speed"] - below["speed"], 1e-6), 0.0, 1.0)
				_add(below, share * (1.0 - over))
				_add(mixed, share * over)
			return
		below = mixed


## The loops of a ring next to a direction: clip -> share, and the `speed` at which they go that way.
func _of_ring(loops: Array, along: Vector3) -> Dictionary:
	if loops.size() < 3:
		return {"clips": {loops[0]: 1.0}, "speed": loops[0].velocity.length()}
	var direction := ClipSet.angle(along)
	for row in loops.size():
		var one: ClipSet.Clip = loops[row]
		var other: ClipSet.Clip = loops[(row + 1) % loops.size()]
		var wide := fposmod(ClipSet.angle(other.velocity) - ClipSet.angle(one.velocity), TAU)
		if fposmod(direction - ClipSet.angle(one.velocity), TAU) <= wide and wide > 0.0:
			# Where the line between their velocities meets the direction.
			var across := along.cross(one.velocity).y
			var share: float = clampf(across / (across - along.cross(other.velocity).y), 0.0, 1.0) if absf(across) > 1e-9 else 0.0
			return {"clips": {one: 1.0 - share, other: share}, "speed": one.velocity.lerp(other.velocity, share).length()}
	return {"clips": {loops[0]: 1.0}, "speed": loops[0].velocity.length()}


func _add(mixed: Dictionary, share: float) -> void:
	for clip: ClipSet.Clip in mixed["clips"]:
		weights[clip] = weights.get(clip, 0.0) + share * mixed["clips"][clip]


## Keep a part of the shares of a moment ago.
func _follow(before: Dictionary, kept: float) -> void:
	if before.is_empty() or kept <= 0.0:
		return
	for clip: ClipSet.Clip in weights:
		weights[clip] *= 1.0 - kept
	for clip: ClipSet.Clip in before:
		weights[clip] = weights.get(clip, 0.0) + kept * before[clip]
		if weights[clip] < 1e-5:
			weights.erase(clip)


func _find_cycle(speed: float, wished: float) -> void:
	var stride := 0.0
	var own := 0.0  # cadence
	var landed := [Vector2.ZERO, Vector2.ZERO]
	var stood := [0.0, 0.0]
	for clip: ClipSet.Clip in weights:
		var long := maxf(clip.stride.dot(_along), 1e-3)
		stride += weights[clip] * long
		own += weights[clip] / clip.seconds
		for side in 2:
			landed[side] += weights[clip] * Vector2.from_angle(TAU * clip.lands[side])
			stood[side] += weights[clip] * long * clip.stands[side]
	for side in 2:
		lands[side] = fposmod(landed[side].angle() / TAU, 1.0)
		stands[side] = stood[side] / stride
	var natural := stride * own
	# Faster is longer steps as much as quicker ones.
	var eager := sqrt(clampf(wished / natural, 0.0, 1.0))
	cadence = maxf(maxf(own * maxf(maxf(sqrt(speed / natural), eager), EASY), quick), speed / (stride * TOP))
	reach = speed / (stride * cadence)


func _row(clip: ClipSet.Clip, phase: float) -> float:
	# Between the mixed contacts as between the clip's own.
	var gone := fposmod(phase - lands[0], 1.0)
	var half := fposmod(lands[1] - lands[0], 1.0)
	var its := fposmod(clip.lands[1] - clip.lands[0], 1.0)
	var there := gone / half * its if gone < half else its + (gone - half) / (1.0 - half) * (1.0 - its)
	return fposmod(clip.lands[0] + there, 1.0) * clip.frames


func _row_of_foot(clip: ClipSet.Clip, side: int, phase: float) -> float:
	var step := step_of(side, phase)
	var there: float = step * clip.stands[side] if step < 1.0 else clip.stands[side] + (step - 1.0) * (1.0 - clip.stands[side])
	return fposmod(clip.lands[side] + there, 1.0) * clip.frames


## Mix a clip in; `rows`: its frame for the left leg, the right leg and all else.
func _mix(clip: ClipSet.Clip, rows: Array, share: float, first: bool) -> void:
	var limbs := clip_set.limbs
	var count := clip_set.bones
	for row in count:
		var at: float = rows[limbs[row]]  # -1 is the last
		var turn := _turned(clip.turns, at, row, count)
		if first:
			turns[row] = turn * share
		else:
			turns[row] += turn * (share if turns[row].dot(turn) >= 0.0 else -share)
	var moving := clip_set.moving
	var many := moving.size()
	for row in many:
		var at: float = rows[limbs[moving[row]]]
		places[row] = _between(clip.places, at, row, many) * share + (Vector3.ZERO if first else places[row])


static func _turned(keys: Array[Quaternion], at: float, row: int, count: int) -> Quaternion:
	var frame := mini(int(at), keys.size() / count - 2)
	var one := keys[frame * count + row]
	var other := keys[(frame + 1) * count + row]
	var share := at - frame
	return (one * (1.0 - share) + other * (share if one.dot(other) >= 0.0 else -share)).normalized()


## Of a loop, smoothly: straight lines between keys would push the pelvis at every key.
static func _between(keys: PackedVector3Array, at: float, row := 0, count := 1) -> Vector3:
	var last := keys.size() / count - 1
	var frame := mini(int(at), last - 1)
	return keys[frame * count + row].cubic_interpolate(keys[(frame + 1) * count + row], keys[posmod(frame - 1, last) * count + row],
		keys[(frame + 2) % last * count + row], at - frame)


## Where the feet go: mixed, and drawn together along the way as far as steps are shorter.
func _set_feet(phase: float, idle: ClipSet.Clip, row: float) -> void:
	for side in 2:
		var place := Vector3.ZERO
		var middle := Vector3.ZERO
		var turn := Quaternion(0.0, 0.0, 0.0, 0.0)
		for clip: ClipSet.Clip in weights:
			var at := _row_of_foot(clip, side, phase)
			place += weights[clip] * _between(clip.ankles[side], at)
			middle += weights[clip] * clip.middles[side]
			var its := _turned(clip.soles[side], at, 0, 1)
			turn += its * (weights[clip] if turn.dot(its) >= 0.0 else -weights[clip])
		turn = turn.normalized()
		place += (reach - 1.0) * (place - middle).dot(_along) * _along
		var calm := clampf(1.0 - reach, 0.0, 1.0)
		if idle and calm > 0.0:
			var home := _between(idle.ankles[side], row)
			var aside := calm * (home - middle)
			place += Vector3(aside.x, 0.0, aside.z)
			turn = turn.slerp(_turned(idle.soles[side], row, 0, 1), calm)
		ankles[side] = place
		soles[side] = turn
