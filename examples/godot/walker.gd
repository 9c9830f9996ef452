## Walks a character about on a set, moved by its root motion alone: it stands, turns on the spot, starts, goes on at any speed, stops.
##
## Clips are left exactly where the manifest says that they join, between two frames of the game if need be.  Speed is the pace at which
## the tree plays, and who bends its way turns over the foot that stands; so neither makes feet slip.
extends RefCounted

const ClipSet := preload("res://clip_set.gd")
const TURNS := 2.5  ## radians a second towards where it is steered
const PACES := Vector2(0.4, 1.4)  ## least and most
const QUICKENS := 1.5  ## change of the pace in a second
const STANDS := 0.1  ## wish below which it stands
const AROUND := deg_to_rad(50.0)  ## off its way, beyond which who stands turns first
const POINTS := {"h": "heel", "f": "ball", "b": "ball", "t": "toe"}  ## over which a foot on this pivot is turned

var clip_set: ClipSet
var tree: AnimationTree
var state := "idle"
var position := 0.0  ## seconds in the state
var pace := 1.0
var _faded := 0.0  ## seconds until the state is all that is seen


func _init(a_set: ClipSet, its_tree: AnimationTree) -> void:
	clip_set = a_set
	tree = its_tree
	clip_set.enter(tree, state)


## Go on for a frame towards a wish: where to, in the world, its length the share of the group's speed; zero to stand.
func step(delta: float, wish: Vector3, group := "walk") -> void:
	var share := wish.length()
	pace = move_toward(pace, clampf(share, PACES.x, PACES.y) if _is_loop() and share > STANDS else 1.0, QUICKENS * delta)
	if share > STANDS:
		_turn(clampf(_off(wish), -TURNS * delta, TURNS * delta))
	var left := delta * pace
	for change in 3:  # no frame is so long that there are more
		var until := _until(wish, group)
		_advance(minf(left, until))
		left -= until
		if left < 0.0:
			break
		_change(wish, group)


## What each foot stands on between the frames of the clip before and after now: letters as in the manifest, "-" for nothing, and in a fade.
func standing() -> Array[String]:
	var found: Array[String] = ["--", "--"]
	if _faded <= 0.0:
		var clip := _clip()
		var frame: float = fmod(position, clip["seconds"] + 1e-6) * clip_set.manifest["fps"]
		for side in 2:
			var pivots: String = clip["pivots"]["left" if side == 0 else "right"]
			found[side] = pivots[mini(floori(frame), pivots.length() - 1)] + pivots[mini(ceili(frame), pivots.length() - 1)]
	return found


func _is_loop() -> bool:
	return clip_set.manifest["blend_spaces"].has(state)


## The clip that is played, of a group its way ahead.
func _clip() -> Dictionary:
	return clip_set.clips["%s_forward" % state if _is_loop() else state]


## Radians to the left from where it faces to a wish.
func _off(wish: Vector3) -> float:
	return clip_set.character.global_basis.z.signed_angle_to(wish, Vector3.UP)


## Turn over the foot that stands; in flight over itself; not while both stand, or a clip stands or turns by itself.
func _turn(angle: float) -> void:
	var feet := standing()
	var stands := feet.filter(func(pivots: String) -> bool: return pivots != "--").size()
	if stands == 2 or _faded > 0.0 or not (_is_loop() or _clip()["kind"] == "start"):
		return
	var about := clip_set.character.global_position
	if stands:
		var side := 0 if feet[0] != "--" else 1
		var pivot: String = feet[side].replace("-", "")[0]
		about = clip_set.character.global_transform * clip_set.sole("left" if side == 0 else "right", POINTS[pivot])
	var turn := Basis(Vector3.UP, angle)
	clip_set.character.global_transform = Transform3D(turn, about - turn * about) * clip_set.character.global_transform


func _advance(seconds: float) -> void:
	tree.advance(seconds)
	clip_set.character.transform *= clip_set.moved(tree)
	position += seconds
	if _faded > 0.0:  # a fade begins a frame after it was asked for
		position = tree["parameters/playback"].get_current_play_position()
	_faded -= seconds


## Seconds until the state is left.
func _until(wish: Vector3, group: String) -> float:
	var seconds: float = _clip()["seconds"]
	if state == "idle" and wish.length() > STANDS:
		return 0.0
	if not _is_loop():
		return maxf(seconds - position, 0.0)
	if _faded > 0.0 or (wish.length() > STANDS and group == state):
		return INF
	var phases := [0.0]
	if wish.length() <= STANDS:
		phases = _stops().map(func(stop: Dictionary) -> float: return stop["enters"]["phase"])
	return phases.map(func(phase: float) -> float: return fposmod(phase * seconds - position, seconds)).min() if phases else INF


func _change(wish: Vector3, group: String) -> void:
	if state == "idle" and wish.length() > STANDS:
		_fade_to(_first(wish, group))
	elif not _is_loop():
		var leaves: Dictionary = _clip()["leaves"]
		_enter("idle" if leaves["stands"] else _clip()["group"], 0.0 if leaves["stands"] else leaves["phase"])
	elif wish.length() > STANDS:
		_fade_to(group)
	else:
		var phase: float = position / _clip()["seconds"]
		var off := func(stop: Dictionary) -> float: return absf(wrapf(stop["enters"]["phase"] - phase, -0.5, 0.5))
		var stops := _stops()
		stops.sort_custom(func(one: Dictionary, other: Dictionary) -> bool: return off.call(one) < off.call(other))
		_enter(stops[0]["name"])


func _stops() -> Array:
	return clip_set.clips.values().filter(func(clip: Dictionary) -> bool: return clip["kind"] == "stop" and clip["group"] == state)


## The clip with which who stands sets off: a turn if the way is behind, else a start, rather with the foot on that side;
## without any, the group.
func _first(wish: Vector3, group: String) -> String:
	var off := rad_to_deg(_off(wish))
	var turns := clip_set.clips.values().filter(func(clip: Dictionary) -> bool: return clip["kind"] == "turn")
	turns.sort_custom(func(one: Dictionary, other: Dictionary) -> bool: return absf(one["turn"] + off) < absf(other["turn"] + off))
	if turns and absf(off) > rad_to_deg(AROUND):
		return turns[0]["name"]
	for foot: String in ["left", "right"] if off > 0.0 else ["right", "left"]:
		if clip_set.clips.has("%s_start_%s_foot" % [group, foot]):
			return "%s_start_%s_foot" % [group, foot]
	return group


func _enter(name: String, phase := 0.0) -> void:
	_aim_ahead(name)
	clip_set.enter(tree, name, phase)
	state = name
	position = phase * _clip()["seconds"]
	_faded = 0.0


func _fade_to(name: String) -> void:
	_aim_ahead(name)
	tree["parameters/playback"].travel(name)
	tree.advance(0.0)
	state = name
	position = 0.0
	_faded = ClipSet.FADE_S


func _aim_ahead(group: String) -> void:
	if clip_set.manifest["blend_spaces"].has(group):
		clip_set.aim(tree, group, Vector2(0.0, clip_set.clips["%s_forward" % group]["speed"]))
