## Measures a set in the engine: where joints are, how far planted feet slip with root motion, how clips join, how blends slip.
##
## godot --headless --path examples/godot --script measure.gd -- FOLDER OUT.json
extends SceneTree

const ClipSet := preload("res://clip_set.gd")
const Stood := preload("res://stood.gd")
const Drives := preload("res://drives.gd")
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
	var found := {"joints": _joints(), "slip": {}, "paths": _paths(), "seams": _seams(), "in_step": _in_step(),
		"drives": Drives.new(clip_set, tree).all()}
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
			found["%s %s %s" % [name, end, other["name"]]] = _apart(here, there)
	clip_set.player.stop()
	return found


func _apart(here: Array[Quaternion], there: Array[Quaternion]) -> float:
	var worst := 0.0
	for row in here.size():
		worst = maxf(worst, rad_to_deg(here[row].angle_to(there[row])))
	return worst


## How many degrees any bone is off its clip after a group was entered amid the cycle and blended in all its ways: group -> degrees.
func _in_step() -> Dictionary:
	var found := {}
	for group: String in clip_set.manifest["blend_spaces"]:
		var samples: Array = clip_set.manifest["blend_spaces"][group]
		clip_set.aim(tree, group, _velocity(samples[0]))
		clip_set.enter(tree, group, 0.5)
		var seconds := 0.5 * float(clip_set.manifest["groups"][group]["seconds"])
		for sample: Dictionary in samples + [samples[0]]:
			clip_set.aim(tree, group, _velocity(sample))
			tree.advance(0.17)
			seconds += 0.17
		var clip := _clip_of(samples[0])
		var here := Drives.turns_of(clip_set)
		found[group] = _apart(here, _turns(clip["name"], fmod(seconds, clip["seconds"])))
	clip_set.player.stop()
	return found


func _velocity(sample: Dictionary) -> Vector2:
	return Vector2(sample["velocity"][0], sample["velocity"][1])


## The clip of a sample of a blend space.
func _clip_of(sample: Dictionary) -> Dictionary:
	return clip_set.clips.values().filter(func(clip: Dictionary) -> bool: return clip["animation"] == sample["animation"])[0]


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
	return Drives.turns_of(clip_set)


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


## How far the points on which feet stand move while they do, in metres, with the root motion applied: at the samples, and between them.
## Loops go round twice.
func _slip(name: String) -> Dictionary:
	var clip: Dictionary = clip_set.clips[name]
	var laps := 2 if clip["kind"] == "loop" else 1
	if clip["kind"] == "loop" and not clip["slope"]:
		for sample: Dictionary in clip_set.manifest["blend_spaces"][clip["group"]]:
			if sample["animation"] == clip["animation"]:
				clip_set.aim(tree, clip["group"], _velocity(sample))
		clip_set.enter(tree, clip["group"])
	else:
		clip_set.enter(tree, name)
	var frames := int(clip["frames"])
	var place := Transform3D.IDENTITY
	var arrived := place
	var stood := Stood.new(Stood.points_of(clip_set, place))
	for frame in frames * laps:
		for look in BETWEEN:
			tree.advance(1.0 / (clip_set.manifest["fps"] * BETWEEN))
			place = place * clip_set.moved(tree)
			stood.look(Stood.points_of(clip_set, place), _standing([clip], frame % frames), look == BETWEEN - 1)
		if frame == frames - 1:
			arrived = place
	return {"samples": stood.at_samples, "between": stood.between, "looks": stood.looks, "turned": arrived.basis.get_euler().y,
		"place": [arrived.origin.x, arrived.origin.y, arrived.origin.z]}


## Which points stand from a frame to the next in all of some clips.
func _standing(clips: Array, frame: int) -> Array:
	var found := []
	for foot: String in Stood.FEET:
		for pivots: String in Stood.POINTS.values():
			found.append(clips.all(func(clip: Dictionary) -> bool:
				var told: String = clip["pivots"][foot]
				return pivots.contains(told[frame]) and pivots.contains(told[frame + 1])))
	return found


## Along straight paths in all directions and at speeds from half to one and a half times the loops' own: how far the points of a foot slip
## while they stand in every loop that is blended, and how far the body ends beside its path, as a share of the way.
func _paths() -> Dictionary:
	var found := {}
	for group: String in clip_set.manifest["blend_spaces"]:
		var worst := {"slip": 0.0, "looks": 0, "astray": 0.0}
		for direction in range(-180, 180, 15):
			for pace: float in [0.5, 1.0, 1.5]:
				var along := Vector2.from_angle(deg_to_rad(90.0 - direction))
				if clip_set.manifest["blend_spaces"][group].size() < 3 and direction != 0:
					continue
				var walked := _path(group, pace * clip_set.natural_velocity(group, along))
				worst["slip"] = maxf(worst["slip"], walked["slip"])
				worst["looks"] += walked["looks"]
				worst["astray"] = maxf(worst["astray"], walked["astray"])
		found[group] = worst
	return found


func _path(group: String, velocity: Vector2) -> Dictionary:
	clip_set.aim(tree, group, clip_set.natural_velocity(group, velocity))
	clip_set.enter(tree, group)
	var frames := int(clip_set.manifest["groups"][group]["cycle_frames"])
	var seconds: float = clip_set.natural_velocity(group, velocity).length() / velocity.length() / clip_set.manifest["fps"]
	var place := Transform3D.IDENTITY
	var stood := Stood.new(Stood.points_of(clip_set, place))
	for frame in 2 * frames:
		place = place * clip_set.go(tree, group, velocity, seconds)
		stood.look(Stood.points_of(clip_set, place), _standing(_blended(group, velocity), frame % frames))
	var wanted: Vector3 = Vector3(-velocity.x, 0.0, velocity.y) * 2 * frames * seconds
	return {"slip": stood.at_samples, "looks": stood.looks, "astray": (place.origin - wanted).length() / wanted.length()}


## The loops that a velocity blends.
func _blended(group: String, velocity: Vector2) -> Array:
	var direction := rad_to_deg(Vector2(velocity.y, velocity.x).angle())
	var samples: Array = clip_set.manifest["blend_spaces"][group]
	var apart: float = 360.0 / samples.size() - 0.1
	return samples.filter(func(sample: Dictionary) -> bool: return absf(wrapf(sample["direction"] - direction, -180.0, 180.0)) < apart).map(_clip_of)
