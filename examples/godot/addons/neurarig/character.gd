## A character that walks and runs on a set of clips: give it a velocity, and it goes.
##
## `wish` is where to and how fast, in the world, in m/s; zero to stand.  `face` is where it should look, and so lets it go sideways; without
## it, it turns to where it goes.  It reads `manifest`, plays the imported GLB below it, holds its feet by a `foot_lock.gd`, and can be
## asked where it will be.
extends CharacterBody3D

signal landed(side: int)  ## 0: the left foot, 1: the right

const ClipSet := preload("clip_set.gd")
const Blend := preload("blend.gd")
const Inertia := preload("inertia.gd")
const FootLock := preload("foot_lock.gd")
const STANDS := 0.05  ## of a walk's speed, below which it stands
const CLOSES := 1.35  ## of the cadence, with which feet are closed
const HOME := 0.09  ## of the leg, within which a foot stands well
const HOME_TURN := deg_to_rad(25.0)
const TURNS_AT := deg_to_rad(40.0)  ## off where it should face, from which on who stands steps round
const LEAST := 0.04  ## of its speed, with which the body turns over feet that are turned as far as they go
const RUNS := 2.6  ## of a walk's speed, how fast people run
const HURRIES := 3.0  ## by how much sooner, for a leg's length
const MOST := 1.4
const LEADS_S := 0.16  ## by which swinging feet are ahead of the body's turning
const LEADS := deg_to_rad(40.0)
const FALLS_S := 0.06  ## half-life of the way to the ground's height

@export var manifest: JSON  ## the set's manifest.json
@export var groups := PackedStringArray()  ## to walk with; empty: all that are upright
@export var quickens_s := 0.3  ## to a walk from standing
@export var brakes_s := 0.2  ## from it
@export var slows_s := 0.55  ## at most, from any other speed
@export var eases_s := 0.1  ## in which a change of speed begins and ends
@export var turns := 5.5  ## radians a second, the most
@export var on_ground := true  ## look for the ground by rays, for the body and the feet
@export_flags_3d_physics var ground_mask := 1
@export var look_at_node: Node3D  ## what the head turns to
@export var automatic := true  ## goes on with every frame; else by `advance`

var wish := Vector3.ZERO
var face := Vector3.ZERO
var clip_set: ClipSet
var blend: Blend
var foot_lock: FootLock
var moves := false
var phase := 0.0  ## cycles since the left contact
var _inertia := Inertia.new()
var _from := 0.0  # speed at which it began to brake
var _walk := 1.0  # its speed
var _cadence := 1.0  # and its cycles a second
var _push := Vector3.ZERO  ## acceleration
var _spin := 0.0  ## radians a second
var _quick := 0.0
var _hurry := 0.0
var _eager := 0.0  # the speed that is wished, smoothly
var _clock := 0.0
var _shown := []  ## the last two poses
var _look := Vector2.ZERO


## Return a character that is made now from the folder of a set; null, and an error in the log, if it cannot be read.
static func load_from(folder: String, its_groups := PackedStringArray()) -> CharacterBody3D:
	var read: ClipSet = ClipSet.load_from(folder, its_groups)
	if read == null:
		return null
	var found := new()
	found.add_child(read.model)
	found.clip_set = read
	return found


func _ready() -> void:
	if Engine.is_editor_hint():
		return
	if clip_set == null:
		if manifest == null or not ClipSet.is_manifest(manifest.data):
			push_error("%s has no manifest.json of a set." % name)
			set_process(false)
			return
		clip_set = ClipSet.of(manifest.data, get_child(0), groups)
	clip_set.player.active = false
	_walk = walk_speed()
	for ring: Array in clip_set.rings:
		if is_equal_approx(ClipSet.speed_of(ring), _walk):
			_cadence = 1.0 / ring[0].seconds
	blend = Blend.new(clip_set)
	foot_lock = FootLock.new()
	foot_lock.clip_set = clip_set
	foot_lock.body = self
	foot_lock.mask = ground_mask
	foot_lock.on_ground = on_ground
	clip_set.skeleton.add_child(foot_lock)
	motion_mode = MOTION_MODE_FLOATING
	blend.aim(Vector3.ZERO)
	_pose(0.0)


func _process(delta: float) -> void:
	if automatic and delta > 0.0:
		advance(delta)


## Stand somewhere else, at rest.
func put(place: Transform3D) -> void:
	global_transform = place
	velocity = Vector3.ZERO
	wish = Vector3.ZERO
	_push = Vector3.ZERO
	_spin = 0.0
	moves = false
	_shown = []
	foot_lock.reset()


## Where it will be if it is wished the same.
func predict(seconds: float, steps := 10) -> Transform3D:
	var place := global_transform
	var going := [velocity, _push, _spin]
	for step in steps:
		going = _urged(going, place.basis.z, seconds / steps)
		place.origin += going[0] * seconds / steps
		place.basis = place.basis.rotated(Vector3.UP, going[2] * seconds / steps)
	return place


## Go on for a while.
func advance(delta: float) -> void:
	_clock += delta
	foot_lock.on_ground = on_ground
	var going := _urged([velocity, _push, _spin], global_basis.z, delta)
	velocity = going[0]
	_push = going[1]
	_spin = going[2] * maxf(foot_lock.ease_of(signf(going[2])), LEAST)
	rotate_y(_spin * delta)
	foot_lock.lead = clampf(_spin * LEADS_S, -LEADS, LEADS)
	if find_children("*", "CollisionShape3D", false):
		move_and_slide()
	else:
		global_position += velocity * delta
	if on_ground:
		_follow_ground(delta)
	_step(delta)
	_pose(delta)


## Velocity, acceleration and turning a moment later.
func _urged(going: Array, ahead: Vector3, delta: float) -> Array:
	var off := wish - going[0] as Vector3
	var most := _walk / quickens_s
	if wish.dot(going[0]) < 0.5 * going[0].length_squared():
		most = maxf(_walk / brakes_s, _from / slows_s)
	else:
		_from = going[0].length()
	var pushed: Vector3 = going[1].lerp((off / (1.5 * eases_s)).limit_length(most), 1.0 - exp(-delta / (0.4 * eases_s)))
	var quick: Vector3 = going[0] + pushed * delta
	if wish.is_zero_approx() and quick.length() < STANDS * _walk and off.length() < 2.0 * STANDS * _walk:
		quick = quick.lerp(Vector3.ZERO, 1.0 - exp(-delta / 0.03))
	var to := face if not face.is_zero_approx() else wish
	var spin := 0.0
	if not to.is_zero_approx():
		var left := ahead.signed_angle_to(Vector3(to.x, 0.0, to.z), Vector3.UP)
		if moves or absf(left) > TURNS_AT or not wish.is_zero_approx():
			spin = clampf(left / 0.12, -turns, turns)
	return [quick, pushed, lerpf(going[2], spin, 1.0 - exp(-delta / 0.05))]


## The speed ahead of the loops that belong to standing, in m/s.
func walk_speed() -> float:
	for ring: Array in clip_set.rings:
		if clip_set.idles and ring[0].group == clip_set.idles[0].group:
			return ClipSet.speed_of(ring)
	return ClipSet.speed_of(clip_set.rings[0])


## The speed ahead of the loops that run as people do by themselves, in m/s; without any, of those that walk.
func run_speed() -> float:
	var speeds := clip_set.rings.filter(func(ring: Array) -> bool: return clip_set.manifest["groups"][ring[0].group]["gait"] == "run").map(ClipSet.speed_of)
	var usual := RUNS * walk_speed()
	speeds.sort_custom(func(one: float, other: float) -> bool: return absf(one - usual) < absf(other - usual))
	return speeds[0] if speeds else walk_speed()


func _follow_ground(delta: float) -> void:
	var reach := FootLock.STEP * clip_set.leg
	var ray := PhysicsRayQueryParameters3D.create(global_position + reach * Vector3.UP, global_position + 2.0 * reach * Vector3.DOWN, ground_mask, [get_rid()])
	var hit := get_world_3d().direct_space_state.intersect_ray(ray)
	if hit:
		global_position.y = lerpf(global_position.y, hit["position"].y, 1.0 - pow(2.0, -delta / FALLS_S))


## Go on in the cycle; begin it with a foot that lifts, and leave it with both at home.
func _step(delta: float) -> void:
	var wishes := wish.length() > STANDS * _walk
	var turned := 0.0 if face.is_zero_approx() else absf(global_basis.z.signed_angle_to(face, Vector3.UP))
	if not moves:
		if wishes or turned > TURNS_AT or velocity.length() > 2.0 * STANDS * _walk:
			_begin(delta)
		return
	var urge := 1.0 if not wishes else 0.0
	_quick = lerpf(_quick, minf(maxf(CLOSES * urge, absf(_spin) / 3.0), CLOSES), 1.0 - exp(-delta / 0.06))
	blend.quick = _quick * _cadence
	_eager = lerpf(_eager, wish.length(), 1.0 - exp(-delta / 0.08))
	blend.aim(global_basis.inverse() * velocity, _eager, delta)
	var before := phase
	# A foot that is left far behind is lifted sooner.
	_hurry = lerpf(_hurry, minf(HURRIES * _left_behind(), MOST), 1.0 - exp(-delta / 0.05))
	phase = fposmod(phase + blend.cadence * (1.0 + _hurry) * delta, 1.0)
	for side in 2:
		if blend.step_of(side, phase) < 1.0 and blend.step_of(side, before) >= 1.0:
			landed.emit(side)
	if not wishes and velocity.length() < 2.0 * STANDS * _walk and turned < TURNS_AT and _both_stand():
		_close(delta)


## How far a foot that stands has stayed behind its pose, or the pelvis sinks for it, in legs.
func _left_behind() -> float:
	var most := 2.0 * foot_lock.strain
	for foot in foot_lock.feet:
		if foot.down and velocity.length() > 0.1:
			most = maxf(most, -foot.off.dot(velocity.normalized()) / clip_set.leg)
	return most


func _both_stand() -> bool:
	return blend.step_of(0, phase) < 1.0 and blend.step_of(1, phase) < 1.0


## Set off: with the foot on the side of the way, else with the one behind.
func _begin(delta: float) -> void:
	moves = true
	_quick = 0.0
	_hurry = 0.0
	var way := global_basis.inverse() * (wish if not wish.is_zero_approx() else face)
	var side := 0 if way.x > 0.0 else 1
	if absf(way.x) < 0.3 * way.length():
		var apart := global_basis.inverse() * (foot_lock.feet[0].ankle - foot_lock.feet[1].ankle)
		side = 1 if apart.dot(way) > 0.0 else 0
	_eager = wish.length()
	blend.quick = 0.0
	blend.aim(0.02 * way.normalized(), _eager)
	_jump(blend.lands[side] + blend.stands[side], delta)


## Stand, if both feet do so well; else lift the one that does not.
func _close(delta: float) -> void:
	var worst := 1.0
	var side := -1
	var idle: ClipSet.Clip = clip_set.idles[0] if clip_set.idles else null
	for foot in 2:
		var home: Vector3 = idle.ankles[foot][0] if idle else blend.ankles[foot]
		var off := (clip_set.skeleton.global_transform.affine_inverse() * foot_lock.feet[foot].ankle) - home
		var bad := maxf(Vector2(off.x, off.z).length() / (HOME * clip_set.leg), absf(foot_lock.feet[foot].swerve) / HOME_TURN)
		if bad > worst:
			worst = bad
			side = foot
	if side < 0:
		moves = false
		_jump(phase, delta)
	else:
		_jump(blend.lands[side] + blend.stands[side], delta)


## Play on from another phase, without a seam.
func _jump(to: float, delta: float) -> void:
	phase = fposmod(to, 1.0)
	if _shown.size() < 2:
		return
	_set_pose(-delta)
	var now := _copy()
	_set_pose(0.0)
	_inertia.begin(_shown[1], _shown[0], now, _copy(), delta)
	foot_lock.jumped = true


func _copy() -> Array:
	return [blend.turns.duplicate(), blend.places.duplicate()]


func _set_pose(later: float) -> void:
	if moves or clip_set.idles.is_empty():
		blend.pose(phase + later * blend.cadence, _clock + later)
	else:
		var idle: ClipSet.Clip = clip_set.idles[0]
		blend.pose_of(idle, fposmod((_clock + later) / idle.seconds, 1.0) * idle.frames)


func _pose(delta: float) -> void:
	_set_pose(0.0)
	_inertia.add(blend.turns, blend.places, delta)
	_shown = [_shown[-1] if _shown else _copy(), _copy()]
	var skeleton := clip_set.skeleton
	for row in blend.turns.size():
		skeleton.set_bone_pose_rotation(row, blend.turns[row])
	skeleton.set_bone_pose_position(clip_set.root_bone, clip_set.root.origin)
	for row in blend.places.size():
		skeleton.set_bone_pose_position(clip_set.moving[row], blend.places[row])
	for side in 2:
		foot_lock.steps[side] = blend.step_of(side, phase) if moves else 0.0
		FootLock.solve(skeleton, clip_set.legs[side], clip_set.hinges[side],
			Transform3D(Basis(blend.soles[side] * clip_set.rests[side]), blend.ankles[side]))
	_look_at(delta)


## Turn the head towards what it looks at, as far as a neck goes.
func _look_at(delta: float) -> void:
	var head := clip_set.bone("head")
	if head < 0:
		return
	var skeleton := clip_set.skeleton
	var pose := skeleton.get_bone_global_pose(head)
	var to := Vector2.ZERO
	if look_at_node:
		var way := skeleton.global_transform.affine_inverse() * look_at_node.global_position - pose.origin
		if way.z > -0.3 * way.length():
			to = Vector2(clampf(ClipSet.angle(way), -1.1, 1.1), clampf(-asin(way.normalized().y), -0.6, 0.6))
	_look = _look.lerp(to, 1.0 - exp(-delta / 0.15))
	if _look.length() > 1e-3:
		pose.basis = Basis(Vector3.UP, _look.x) * Basis(Vector3.RIGHT, _look.y) * pose.basis
		skeleton.set_bone_global_pose(head, pose.orthonormalized())
