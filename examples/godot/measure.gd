## Measures a set in the engine: where joints are, how far planted feet slip with root motion, how clips join, how blends slip.
##
## godot --headless --path examples/godot --script measure.gd -- FOLDER OUT.json
extends SceneTree

const ClipSet := preload("res://clip_set.gd")
const BETWEEN := 4  ## looks per frame of a clip

var clip_set: ClipSet
var tree: AnimationTree


func _initialize() -> void:
	var given := OS.get_cmdline_user_args()
	clip_set = ClipSet.load_from(given[0])
	if clip_set == null:
		quit(1)
		return
	root.add_child(clip_set.character)
	tree = clip_set.add_tree()
	await process_frame
	var found := {"joints": _joints(), "slip": {}, "paths": _paths(), "seams": _seams()}
	for name: String in clip_set.clips:
		found["slip"][name] = _slip(name)
	var file := FileAccess.open(given[1], FileAccess.WRITE)
	file.store_string(JSON.stringify(found))
	file.close()
	quit()


## How many degrees any bone with a role jumps where one clip ends and the next begins, seen from the root: "clip > next" -> degrees.
func _seams() -> Dictionary:
	var found := {}
	for name: String in clip_set.clips:
		var clip: Dictionary = clip_set.clips[name]
		for end: String in ["enters", "leaves"]:
			var other := _joined(clip, clip[end])
			if other.is_empty():
				continue
			var here := _turns(name, 0.0 if end == "enters" else clip["seconds"])
			var there := _turns(other["name"], 0.0 if clip[end]["stands"] else clip[end]["phase"] * other["seconds"])
			var worst := 0.0
			for row in here.size():
				worst = maxf(worst, rad_to_deg(here[row].angle_to(there[row])))
			found["%s %s %s" % [name, end, other["name"]]] = worst
	clip_set.player.stop()
	return found


## The clip that another one joins at an end: standing, its group's way ahead, or itself if it loops.
func _joined(clip: Dictionary, end: Dictionary) -> Dictionary:
	if clip["loops"]:
		return clip
	if end["stands"]:
		return clip_set.clips.get("idle", {})
	return clip_set.clips.get("%s_forward" % clip["group"], {})


## Rotations of all bones with a role at a time of a clip, seen from the root bone.
func _turns(name: String, seconds: float) -> Array[Quaternion]:
	var clip: Dictionary = clip_set.clips[name]
	clip_set.player.play(clip["animation"])
	clip_set.player.seek(minf(seconds, clip["seconds"] - 1e-5), true)
	var root_turn := clip_set.skeleton.get_bone_global_pose(clip_set.root_bone).basis.get_rotation_quaternion()
	var found: Array[Quaternion] = []
	for role: String in clip_set.manifest["bones"]:
		found.append(root_turn.inverse() * clip_set.skeleton.get_bone_global_pose(clip_set.bone(role)).basis.get_rotation_quaternion())
	return found


## Places of all joints with a role, and of the root, on every frame of each clip, as the animation has them: clip -> frames -> role -> x, y, z.
func _joints() -> Dictionary:
	var found := {}
	for name: String in clip_set.clips:
		var rows := []
		clip_set.player.play(clip_set.clips[name]["animation"])
		for frame in int(clip_set.clips[name]["frames"]) + 1:
			# The very end of a loop is its beginning.
			clip_set.player.seek(minf(frame / float(clip_set.manifest["fps"]), clip_set.clips[name]["seconds"] - 1e-6), true)
			rows.append(_places())
		found[name] = rows
	clip_set.player.stop()
	return found


func _places() -> Dictionary:
	var found := {}
	for role: String in clip_set.manifest["bones"]:
		var pose := clip_set.skeleton.get_bone_global_pose(clip_set.bone(role))
		found[role] = [pose.origin.x, pose.origin.y, pose.origin.z]
	return found


## How far feet that stand flat move, in metres, with the root motion applied: at the samples, and between them.
func _slip(name: String) -> Dictionary:
	var clip: Dictionary = clip_set.clips[name]
	var playback: AnimationNodeStateMachinePlayback = tree["parameters/playback"]
	var group: String = clip["group"]
	if clip["kind"] == "loop" and clip_set.manifest["blend_spaces"].has(group) and not clip["slope"]:
		playback.start(group, true)
		_aim(group, clip)
	elif clip["kind"] != "loop":
		playback.start(name, true)
	else:
		return {}
	tree.advance(0.0)
	var place := Transform3D.IDENTITY
	var looks := [[_feet(place)]]
	var step: float = 1.0 / (clip_set.manifest["fps"] * BETWEEN)
	for frame in int(clip["frames"]):
		var within := []
		for look in BETWEEN:
			tree.advance(step)
			place = place * clip_set.moved(tree)
			within.append(_feet(place))
		looks.append(within)
	return _slipped(looks, clip, place)


func _slipped(looks: Array, clip: Dictionary, place: Transform3D) -> Dictionary:
	var at_samples := 0.0
	var between := 0.0
	for side in 2:
		var pivots: String = clip["pivots"]["left" if side == 0 else "right"]
		for frame in range(1, looks.size()):
			if pivots[frame] != "f" or pivots[frame - 1] != "f":
				continue
			var before: Vector3 = looks[frame - 1][-1][side]
			for look: Array in looks[frame]:
				between = maxf(between, _along(look[side] - before))
			at_samples = maxf(at_samples, _along(looks[frame][-1][side] - before))
	return {"samples": at_samples, "between": between, "place": [place.origin.x, place.origin.y, place.origin.z],
		"turned": place.basis.get_euler().y}


func _along(way: Vector3) -> float:
	return Vector2(way.x, way.z).length()


func _aim(group: String, clip: Dictionary) -> void:
	for sample: Dictionary in clip_set.manifest["blend_spaces"][group]:
		if sample["animation"] == clip["animation"]:
			var space: AnimationNode = (tree.tree_root as AnimationNodeStateMachine).get_node(group)
			if space is AnimationNodeBlendSpace1D:
				tree["parameters/%s/blend_position" % group] = sample["speed"]
			else:
				tree["parameters/%s/blend_position" % group] = Vector2(sample["velocity"][0], sample["velocity"][1])


## The lowest point of each foot that stands: the ball, or the ankle of a foot without toes; in the world.
func _feet(place: Transform3D) -> Array:
	var found := []
	for side: String in ["L", "R"]:
		var row := clip_set.bone("toe." + side)
		row = clip_set.bone("foot." + side) if row < 0 else row
		found.append(place * clip_set.skeleton.get_bone_global_pose(row).origin)
	return found


## Along straight paths in all directions and at speeds from half to one and a half times the loops' own: how far a foot slips while it
## stands flat in every loop that is blended, and how far the body ends beside its path, as a share of the way.
func _paths() -> Dictionary:
	var found := {}
	for group: String in clip_set.manifest["blend_spaces"]:
		var worst := {"slip": 0.0, "astray": 0.0}
		for direction in range(-180, 180, 15):
			for pace: float in [0.5, 1.0, 1.5]:
				var along := Vector2.from_angle(deg_to_rad(90.0 - direction))
				if clip_set.manifest["blend_spaces"][group].size() < 3 and direction != 0:
					continue
				var walked := _path(group, pace * clip_set.natural_velocity(group, along))
				worst["slip"] = maxf(worst["slip"], walked["slip"])
				worst["astray"] = maxf(worst["astray"], walked["astray"])
		found[group] = worst
	return found


func _path(group: String, velocity: Vector2) -> Dictionary:
	var playback: AnimationNodeStateMachinePlayback = tree["parameters/playback"]
	playback.start(group, true)
	clip_set.go(tree, group, velocity, 0.0)
	var cycle := int(clip_set.manifest["groups"][group]["cycle_frames"])
	var rate := velocity.length() / clip_set.natural_velocity(group, velocity).length()
	var place := Transform3D.IDENTITY
	var before := _feet(place)
	var slip := 0.0
	for frame in range(1, 2 * cycle):
		place = place * clip_set.go(tree, group, velocity, 1.0 / (clip_set.manifest["fps"] * rate))
		var now := _feet(place)
		for side in 2:
			if _stands_flat(group, velocity, side, frame % cycle) and _stands_flat(group, velocity, side, (frame - 1) % cycle):
				slip = maxf(slip, _along(now[side] - before[side]))
		before = now
	var wanted: Vector3 = Vector3(-velocity.x, 0.0, velocity.y) * (2 * cycle - 1) / (clip_set.manifest["fps"] * rate)
	return {"slip": slip, "astray": (place.origin - wanted).length() / wanted.length()}


## Whether a foot stands flat on a frame in all loops that a velocity blends.
func _stands_flat(group: String, velocity: Vector2, side: int, frame: int) -> bool:
	var direction := rad_to_deg(Vector2(velocity.y, velocity.x).angle())
	var apart: float = 360.0 / clip_set.manifest["blend_spaces"][group].size()
	for clip: Dictionary in clip_set.clips.values():
		if clip["group"] == group and clip["kind"] == "loop" and not clip["slope"]:
			var near := absf(wrapf(clip["direction"] - direction, -180.0, 180.0)) < apart - 0.1
			if near and clip["pivots"]["left" if side == 0 else "right"][frame] != "f":
				return false
	return true
