## A set of clips that NeuraRig has exported: what its manifest tells of each clip, and the clips' keys, read once into arrays.
##
## Nothing is known by name: groups, speeds, directions, contacts and bones are the manifest's.  Space: x to the left, y up, z ahead, in
## metres, seen from the root bone, which stands still here: who plays the set carries the way.
extends RefCounted

const SIDES := ["left", "right"]
const UPRIGHT := 0.93  ## of the highest pelvis: groups that are lower crouch, and are played only if they are asked for
const STILL := 1e-4  ## metres; bones whose place changes less keep it


## One clip's keys.  `frames` of them follow the first; rows are [frame * bones + bone].
class Clip:
	var name: String
	var kind: String
	var group: String
	var told: Dictionary
	var frames: int
	var seconds: float
	var loops: bool
	var velocity := Vector3.ZERO  ## of a loop
	var stride := Vector3.ZERO  ## of a loop: the way of a cycle
	var turns: Array[Quaternion]
	var places: PackedVector3Array  ## [frame * moving + row] of the bones that move against their parents
	var body: Array[Transform3D]  ## where the root bone has gone, frame by frame
	var ankles: Array[PackedVector3Array] = [PackedVector3Array(), PackedVector3Array()]
	var soles := [Array([], TYPE_QUATERNION, "", null), Array([], TYPE_QUATERNION, "", null)]  ## rotations of both feet against their rest
	var lands := [0.0, 0.0]  ## phase at which a foot lands
	var stands := [1.0, 1.0]  ## share of the cycle for which it stands
	var middles := [Vector3.ZERO, Vector3.ZERO]  ## of the ankles, about which a shorter stride is drawn together


var manifest: Dictionary
var model: Node3D
var skeleton: Skeleton3D
var player: AnimationPlayer
var clips := {}  ## name -> Clip
var idles: Array[Clip]
var rings: Array = []  ## groups from slow to fast: arrays of loops, by direction
var root_bone := 0
var root := Transform3D.IDENTITY  ## of the root bone, where each clip begins
var rests := [Quaternion.IDENTITY, Quaternion.IDENTITY]  ## of the feet, as the root begins
var bones := 0
var moving: PackedInt32Array
var legs: Array = [[], []]  ## for the left and right: thigh, shin, foot
var limbs: Array[int] = []  ## by bone: 0 or 1 for those of the left and right leg, else -1
var points: Array = [{}, {}]  ## for the left and right: heel, ball, toe -> [bone, place seen from it]
var hinges := [Vector3.LEFT, Vector3.LEFT]  ## axes of the knees, seen from the thighs
var leg := 1.0  ## metres of thigh and shin
var pelvis := 0


## Return the set of a folder, with a character that is made from its GLB now; null, and an error in the log, if it cannot be read.
static func load_from(folder: String, groups := PackedStringArray()) -> RefCounted:
	var told: Variant = JSON.parse_string(FileAccess.get_file_as_string(folder.path_join("manifest.json")))
	if not is_manifest(told):
		push_error("'%s' holds no manifest.json of a set." % folder)
		return null
	var document := GLTFDocument.new()
	var state := GLTFState.new()
	var file: String = folder.path_join(told["clips"][0]["file"])
	if document.append_from_file(file, state) != OK:
		push_error("'%s' cannot be read as GLB." % file)
		return null
	# Keys stay as they are only if they are sampled at their own rate.
	return of(told, document.generate_scene(state, told["fps"], false, false), groups)


## Return the set of a manifest whose GLB has been imported as a character; `groups`: to be walked with, by default all upright ones.
static func of(told: Dictionary, character: Node3D, groups := PackedStringArray()) -> RefCounted:
	var found := new()
	found.manifest = told
	found.model = character
	found._find_parts()
	for clip: Dictionary in told["clips"]:
		if clip["kind"] != "take" and animation_of(found.player, clip):
			found.clips[clip["name"]] = found._read(clip)
	found._stand()
	found._find_knees()
	found._sort_loops(groups)
	return found


## Return a clip of the manifest as an AnimationPlayer has it: the editor's import drops "-loop" from its name; null without.
static func animation_of(from: AnimationPlayer, told: Dictionary) -> Animation:
	for name: String in [told["animation"], told["animation"].trim_suffix("-loop")]:
		if from.has_animation(name):
			return from.get_animation(name)
	return null


static func is_manifest(told: Variant) -> bool:
	return told is Dictionary and told.get("format") == "neurarig-set" and not told.get("clips", []).is_empty()


## Return the row of a role's bone, such as "foot.L"; -1 without one.
func bone(role: String) -> int:
	return skeleton.find_bone(manifest["bones"].get(role, ""))


## Return where the points of a foot are, heel, ball and toe, for bones as the skeleton has them now.
func sole(side: int) -> PackedVector3Array:
	var found := PackedVector3Array()
	for point: Array in points[side].values():
		found.append(skeleton.get_bone_global_pose(point[0]) * point[1])
	return found


func _find_parts() -> void:
	player = model.find_children("*", "AnimationPlayer", true, false)[0]
	skeleton = model.find_children("*", "Skeleton3D", true, false)[0]
	bones = skeleton.get_bone_count()
	while skeleton.get_bone_parent(root_bone) >= 0:
		root_bone += 1
	pelvis = bone("pelvis")
	for side in 2:
		for part: String in ["thigh", "shin", "foot"]:
			legs[side].append(bone("%s.%s" % [part, "LR"[side]]))
		var soles: Dictionary = manifest["soles"][SIDES[side]]
		for point: String in soles:
			var row := skeleton.find_bone(soles[point]["bone"])
			var at: Array = soles[point]["at"]
			points[side][point] = [row, skeleton.get_bone_global_rest(row).affine_inverse() * Vector3(at[0], at[2], at[1])]
	leg = 0.0
	for part in 2:
		leg += skeleton.get_bone_global_rest(legs[0][part]).origin.distance_to(skeleton.get_bone_global_rest(legs[0][part + 1]).origin)
	for row in bones:
		var parent := skeleton.get_bone_parent(row)
		limbs.append(legs.map(func(parts: Array) -> bool: return parts[0] == row).find(true))
		if limbs[row] < 0 and parent >= 0:
			limbs[row] = limbs[parent]
	for clip: Dictionary in manifest["clips"]:
		var animation := animation_of(player, clip)
		if animation:
			animation.loop_mode = Animation.LOOP_LINEAR if clip["loops"] else Animation.LOOP_NONE
			animation.length = clip["seconds"]
			for track in animation.get_track_count():
				var row := skeleton.find_bone(animation.track_get_path(track).get_concatenated_subnames())
				if animation.track_get_type(track) == Animation.TYPE_POSITION_3D and row >= 0 and row != root_bone and row not in moving:
					if _moves(animation, track, skeleton.get_bone_rest(row).origin):
						moving.append(row)


func _moves(animation: Animation, track: int, rest: Vector3) -> bool:
	for key in animation.track_get_key_count(track):
		if (animation.track_get_key_value(track, key) as Vector3).distance_to(rest) > STILL:
			return true
	return false


func _read(told: Dictionary) -> Clip:
	var clip := Clip.new()
	clip.name = told["name"]
	clip.kind = told["kind"]
	clip.group = told["group"]
	clip.told = told
	clip.frames = int(told["frames"])
	clip.seconds = told["seconds"]
	clip.loops = told["loops"]
	var animation := animation_of(player, told)
	var turning := _tracks(animation, Animation.TYPE_ROTATION_3D, range(bones))
	var placing := _tracks(animation, Animation.TYPE_POSITION_3D, Array(moving) + [root_bone])
	for frame in clip.frames + 1:
		# The very end of a loop is its beginning, but for the way.
		var at := minf(frame / float(manifest["fps"]), clip.seconds - 1e-5)
		for row in bones:
			clip.turns.append(animation.rotation_track_interpolate(turning[row], at) if turning[row] >= 0
				else skeleton.get_bone_rest(row).basis.get_rotation_quaternion())
		for row in moving.size():
			clip.places.append(animation.position_track_interpolate(placing[row], at) if placing[row] >= 0
				else skeleton.get_bone_rest(moving[row]).origin)
		var gone := Transform3D(Basis(clip.turns[frame * bones + root_bone]), animation.position_track_interpolate(placing[-1], at)
			if placing[-1] >= 0 else root.origin)
		if clips.is_empty() and frame == 0:
			_begin(gone)
		clip.body.append(gone * root.affine_inverse())
		clip.turns[frame * bones + root_bone] = root.basis.get_rotation_quaternion()
		for side in 2:
			var foot := _seen(clip, frame, legs[side][2])
			clip.ankles[side].append(foot.origin)
			clip.soles[side].append(foot.basis.get_rotation_quaternion() * rests[side].inverse())
	if clip.loops:
		_find_contacts(clip)
		clip.stride = Vector3(told["root"]["x"][-1], 0.0, told["root"]["y"][-1])
		clip.velocity = clip.stride / clip.seconds
	return clip


## All clips begin here; the feet's rest, seen from it.
func _begin(place: Transform3D) -> void:
	root = place
	for side in 2:
		var turned := root.basis.get_rotation_quaternion() * skeleton.get_bone_rest(root_bone).basis.get_rotation_quaternion().inverse()
		rests[side] = turned * skeleton.get_bone_global_rest(legs[side][2]).basis.get_rotation_quaternion()


## The tracks of bones in an animation; -1 without one.
func _tracks(animation: Animation, type: Animation.TrackType, rows: Array) -> PackedInt32Array:
	var found := {}
	for track in animation.get_track_count():
		if animation.track_get_type(track) == type:
			found[String(animation.track_get_path(track).get_concatenated_subnames())] = track
	return PackedInt32Array(rows.map(func(row: int) -> int: return found.get(skeleton.get_bone_name(row), -1)))


## A bone of a clip's frame seen from the root.
func _seen(clip: Clip, frame: int, row: int) -> Transform3D:
	var place := skeleton.get_bone_rest(row).origin if row != root_bone else root.origin
	var shifted := moving.find(row)
	if shifted >= 0:
		place = clip.places[frame * moving.size() + shifted]
	var here := Transform3D(Basis(clip.turns[frame * bones + row]), place)
	var parent := skeleton.get_bone_parent(row)
	return _seen(clip, frame, parent) * here if parent >= 0 else here


## When the feet of a loop land and lift, and about where.
func _find_contacts(clip: Clip) -> void:
	for side in 2:
		var stands: Array = clip.told["contacts"][SIDES[side]].slice(0, clip.frames)
		var downs := stands.count(1.0)
		clip.stands[side] = float(downs) / clip.frames
		for falls: Dictionary in clip.told["footfalls"]:
			if falls["foot"] == SIDES[side]:
				clip.lands[side] = fposmod(float(falls["frame"]) / clip.frames, 1.0)
				break
		for frame in clip.frames:
			clip.middles[side] += clip.ankles[side][frame] / clip.frames


## Place the model so that it stands on the ground, its pelvis above where it is, wherever its root bone may rest.
func _stand() -> void:
	for clip: Clip in clips.values():
		if clip.loops:
			var lowest := INF
			for side in 2:
				for point: Array in points[side].values():
					lowest = minf(lowest, (_seen(clip, 0, point[0]) * point[1]).y)
			var middle := _seen(clip, 0, pelvis).origin
			model.position = -Vector3(middle.x, lowest, middle.z)
			return


## Axes of the knees: how the loops bend them, weighed by how much.
func _find_knees() -> void:
	for side in 2:
		var axis := Vector3.ZERO
		for clip: Clip in clips.values():
			if clip.kind == "loop":
				for frame in range(0, clip.frames, 3):
					var thigh := _seen(clip, frame, legs[side][0])
					var to_knee := _seen(clip, frame, legs[side][1]).origin - thigh.origin
					axis += thigh.basis.inverse() * to_knee.cross(clip.ankles[side][frame] - thigh.origin)
		hinges[side] = axis.normalized()


## Groups by speed; those that crouch are left out, if they are not asked for.
func _sort_loops(groups: PackedStringArray) -> void:
	var found := {}
	var heights := {}
	for clip: Clip in clips.values():
		if clip.kind == "loop" and not clip.told["slope"]:
			found.get_or_add(clip.group, []).append(clip)
			heights[clip.group] = maxf(heights.get(clip.group, 0.0), _seen(clip, 0, pelvis).origin.y + model.position.y)
		elif clip.kind == "idle":
			idles.append(clip)
	for group: String in found:
		if group in groups or (groups.is_empty() and heights[group] > UPRIGHT * heights.values().max()):
			found[group].sort_custom(func(one: Clip, other: Clip) -> bool: return angle(one.velocity) < angle(other.velocity))
			rings.append(found[group])
	rings.sort_custom(func(one: Array, other: Array) -> bool: return speed_of(one) < speed_of(other))


## Radians to the left from straight ahead.
static func angle(way: Vector3) -> float:
	return atan2(way.x, way.z)


## The greatest speed of some loops.
static func speed_of(loops: Array) -> float:
	return loops.map(func(clip: Clip) -> float: return clip.velocity.length()).max()
