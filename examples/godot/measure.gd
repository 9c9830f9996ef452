## Measures a set's clips in the engine: where joints are, how far planted feet slip with root motion, how clips join.
##
## godot --headless --path examples/godot --script measure.gd -- FOLDER OUT.json
extends SceneTree

const ClipSet := preload("res://addons/neurarig/clip_set.gd")
const Stood := preload("res://stood.gd")
const PIVOTS := ["hf", "fb", "t"]  ## during which heel, ball and toe tip should stand still
const BETWEEN := 4  ## looks per frame of a clip

var clip_set: ClipSet


func _initialize() -> void:
	var given := OS.get_cmdline_user_args()
	clip_set = ClipSet.load_from(given[0])
	if clip_set == null:
		quit(1)
		return
	root.add_child(clip_set.model)
	await process_frame
	var found := {"joints": _joints(), "slip": {}, "seams": _seams()}
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
		var clip: Dictionary = clip_set.clips[name].told
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


## The clip that another one joins at an end: standing, its group's way ahead, or itself if it loops.
func _joined(clip: Dictionary, end: Dictionary) -> Dictionary:
	if clip["loops"]:
		return clip
	if end["stands"]:
		return _told("idle")
	return _told("%s_forward" % clip["group"])


func _told(name: String) -> Dictionary:
	return clip_set.clips[name].told if clip_set.clips.has(name) else {}


## Rotations of all bones with a role at a time of a clip, seen from the root bone.
func _turns(name: String, seconds: float) -> Array[Quaternion]:
	var clip: Dictionary = clip_set.clips[name].told
	clip_set.player.play(clip["animation"])
	clip_set.player.seek(minf(seconds, clip["seconds"] - 1e-5), true)
	return _turned()


func _turned() -> Array[Quaternion]:
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
		clip_set.player.play(clip_set.clips[name].told["animation"])
		for frame in int(clip_set.clips[name].told["frames"]) + 1:
			# The very end of a loop is its beginning.
			clip_set.player.seek(minf(frame / float(clip_set.manifest["fps"]), clip_set.clips[name].told["seconds"] - 1e-6), true)
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


## How far the points on which feet stand move while they do, in metres, over the ground: at the samples, and between them.  Loops go round
## twice.
func _slip(name: String) -> Dictionary:
	var clip: Dictionary = clip_set.clips[name].told
	var frames := int(clip["frames"])
	clip_set.player.play(clip["animation"])
	clip_set.player.seek(0.0, true)
	var lap := Transform3D.IDENTITY
	var stood := Stood.new(_points(lap))
	for step in frames * (2 if clip["kind"] == "loop" else 1):
		if step == frames:
			lap = _gone()
		var frame := step % frames
		for look in BETWEEN:
			clip_set.player.seek(minf((frame + (look + 1.0) / BETWEEN) / clip_set.manifest["fps"], clip["seconds"] - 1e-6), true)
			stood.look(_points(lap), _standing(clip, frame), look == BETWEEN - 1)
	var arrived := _gone()
	return {"samples": stood.at_samples, "between": stood.between, "looks": stood.looks, "turned": arrived.basis.get_euler().y,
		"place": [arrived.origin.x, arrived.origin.y, arrived.origin.z]}


## Where the root bone is, seen from where clips begin.
func _gone() -> Transform3D:
	return clip_set.skeleton.get_bone_pose(clip_set.root_bone) * clip_set.root.affine_inverse()


## The points of both feet, after a lap.
func _points(lap: Transform3D) -> Array[Vector3]:
	var found: Array[Vector3] = []
	for side in 2:
		for point in clip_set.sole(side):
			found.append(lap * point)
	return found


## Which points stand from a frame to the next.
func _standing(clip: Dictionary, frame: int) -> Array:
	var found := []
	for foot: String in ["left", "right"]:
		for pivots: String in PIVOTS:
			var told: String = clip["pivots"][foot]
			found.append(pivots.contains(told[frame]) and pivots.contains(told[frame + 1]))
	return found
