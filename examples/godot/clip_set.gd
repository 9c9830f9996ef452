## A set of clips that NeuraRig has exported: the character of its GLB, and what its manifest tells of each clip.
##
## Everything is made at run time from `manifest.json` and the GLB beside it; nothing has to be imported in the editor.
extends RefCounted

const FADE_S := 0.2  ## of clips that do not join

var manifest: Dictionary
var character: Node3D
var player: AnimationPlayer
var skeleton: Skeleton3D
var clips := {}  ## name -> what the manifest tells of the clip
var root_bone := 0  ## the bone on the ground


## Return the set in a folder; null, and an error in the log, if it cannot be read.
static func load_from(folder: String) -> RefCounted:
	var told: Variant = JSON.parse_string(FileAccess.get_file_as_string(folder.path_join("manifest.json")))
	if not told is Dictionary or told.get("format") != "neurarig-set":
		push_error("'%s' holds no manifest.json of a set." % folder)
		return null
	var found := new()
	found.manifest = told
	for clip: Dictionary in told["clips"]:
		found.clips[clip["name"]] = clip
	var document := GLTFDocument.new()
	var state := GLTFState.new()
	var file: String = folder.path_join(told["clips"][0]["file"])
	if document.append_from_file(file, state) != OK:
		push_error("'%s' cannot be read as GLB." % file)
		return null
	# Keys stay as they are only if they are sampled at their own rate.
	found.character = document.generate_scene(state, told["fps"], false, false)
	found._find_parts()
	return found


## Return an animation tree, a child of the character: a state machine with a blend by velocity for each group, and every other clip.
##
## It is advanced by hand, and told by `enter` what to play.
func add_tree() -> AnimationTree:
	var machine := AnimationNodeStateMachine.new()
	for group: String in manifest["blend_spaces"]:
		machine.add_node(group, _blend_of(group))
	for name: String in clips:
		if clips[name]["kind"] != "loop" or clips[name]["slope"]:
			machine.add_node(name, _animation(clips[name]["animation"]))
	_join(machine)
	var tree := AnimationTree.new()
	tree.tree_root = machine
	character.add_child(tree)
	tree.anim_player = tree.get_path_to(player)
	tree.root_motion_track = NodePath("%s:%s" % [player.get_node(player.root_node).get_path_to(skeleton), skeleton.get_bone_name(root_bone)])
	tree.root_motion_local = true
	tree.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_MANUAL
	return tree


## Play a group from a phase of its cycle on, or another clip from its beginning; without a seam where the manifest says that they join.
func enter(tree: AnimationTree, name: String, phase := 0.0) -> void:
	tree["parameters/playback"].start(name, true)
	if manifest["blend_spaces"].has(name):
		tree["parameters/%s/seek/seek_request" % name] = phase * manifest["groups"][name]["seconds"]
	tree.advance(0.0)


## Blend the loops of a group for a velocity to the right and ahead, in m/s.
func aim(tree: AnimationTree, group: String, velocity: Vector2) -> void:
	var one_way: bool = manifest["blend_spaces"][group].size() < 3
	tree["parameters/%s/space/blend_position" % group] = velocity.length() if one_way else velocity


## Return how the tree has moved a body since the last frame, relative to where it faces.
func moved(tree: AnimationTree) -> Transform3D:
	var rest := skeleton.get_bone_rest(root_bone).basis.get_rotation_quaternion()
	var turn := rest * tree.get_root_motion_rotation() * rest.inverse()
	return Transform3D(Basis(turn), turn * (rest * tree.get_root_motion_position()))  # which is seen from where it has turned to


## Go on for a while at a velocity, right and ahead in m/s, in the loops of a group, and return how that has moved the body.
##
## Between directions loops are blended; between speeds they are played faster or slower, as then feet still stand.
func go(tree: AnimationTree, group: String, velocity: Vector2, seconds: float) -> Transform3D:
	var natural := natural_velocity(group, velocity)
	aim(tree, group, natural)
	tree.advance(seconds * velocity.length() / maxf(natural.length(), 1e-6))
	return moved(tree)


## Return the velocity that the loops of a group have in a direction, between the two nearest of them.
func natural_velocity(group: String, velocity: Vector2) -> Vector2:
	var samples: Array = manifest["blend_spaces"][group]
	if samples.size() < 3:
		return Vector2(0.0, samples[0]["speed"])
	var direction := rad_to_deg(Vector2(velocity.y, velocity.x).angle())
	var before := {}
	var after := {}
	for sample: Dictionary in samples:
		var off := wrapf(sample["direction"] - direction, -180.0, 180.0)
		if off <= 0.0 and (before.is_empty() or off > before["off"]):
			before = {"off": off, "sample": sample}
		if off >= 0.0 and (after.is_empty() or off < after["off"]):
			after = {"off": off, "sample": sample}
	var one := Vector2(before["sample"]["velocity"][0], before["sample"]["velocity"][1])
	var other := Vector2(after["sample"]["velocity"][0], after["sample"]["velocity"][1])
	var along := velocity.normalized()
	# Where the line between the two meets the direction.
	var way := other - one
	var across := along.cross(way)
	return along * (one.cross(way) / across) if absf(across) > 1e-6 else one


## Return where a foot's heel, ball or toe tip is, in the character's space; foot is "left" or "right".
func sole(foot: String, point: String) -> Vector3:
	var told: Dictionary = manifest["soles"][foot][point]
	var row := skeleton.find_bone(told["bone"])
	var at := Vector3(told["at"][0], told["at"][2], told["at"][1])
	return skeleton.get_bone_global_pose(row) * (skeleton.get_bone_global_rest(row).affine_inverse() * at)


## Return the row of a role's bone, such as "foot.L".
func bone(role: String) -> int:
	return skeleton.find_bone(manifest["bones"].get(role, ""))


func _find_parts() -> void:
	player = character.find_children("*", "AnimationPlayer", true, false)[0]
	skeleton = character.find_children("*", "Skeleton3D", true, false)[0]
	for row in skeleton.get_bone_count():
		if skeleton.get_bone_parent(row) < 0:
			root_bone = row
			break
	for name: String in clips:
		var animation := player.get_animation(clips[name]["animation"])
		animation.loop_mode = Animation.LOOP_LINEAR if clips[name]["loops"] else Animation.LOOP_NONE
		animation.length = clips[name]["seconds"]


## The blend space of a group, and a node that brings it to a phase.
func _blend_of(group: String) -> AnimationNodeBlendTree:
	var blend := AnimationNodeBlendTree.new()
	blend.add_node("space", _blend_space(group))
	blend.add_node("seek", AnimationNodeTimeSeek.new())
	blend.connect_node("seek", 0, "space")
	blend.connect_node("output", 0, "seek")
	return blend


## The loops of a group by velocity.  They are equally long and begin with the same contact, so they stay in step.
func _blend_space(group: String) -> AnimationNode:
	var samples: Array = manifest["blend_spaces"][group]
	if samples.size() < 3:
		var line := AnimationNodeBlendSpace1D.new()
		line.max_space = 10.0
		line.min_space = 0.0
		line.sync = true
		for sample: Dictionary in samples:
			line.add_blend_point(_animation(sample["animation"]), sample["speed"])
		return line
	var space := AnimationNodeBlendSpace2D.new()
	space.min_space = Vector2(-10.0, -10.0)
	space.max_space = Vector2(10.0, 10.0)
	space.blend_mode = AnimationNodeBlendSpace2D.BLEND_MODE_INTERPOLATED
	space.sync = true  # loops of no weight go on too, else they are out of step when they are blended again
	for sample: Dictionary in samples:
		space.add_blend_point(_animation(sample["animation"]), Vector2(sample["velocity"][0], sample["velocity"][1]))
	return space


func _animation(animation: String) -> AnimationNodeAnimation:
	var node := AnimationNodeAnimation.new()
	node.animation = animation
	return node


## Groups fade into one another, and out of idle, which sways, everything fades in; all else joins without a seam.
func _join(machine: AnimationNodeStateMachine) -> void:
	for name: String in clips:
		if clips[name]["enters"]["stands"] and name != "idle":
			_fade(machine, "idle", name)
	for group: String in manifest["blend_spaces"]:
		_fade(machine, "idle", group)
		for other: String in manifest["blend_spaces"]:
			if group != other:
				_fade(machine, group, other)


func _fade(machine: AnimationNodeStateMachine, from: String, to: String) -> void:
	if machine.has_node(from) and machine.has_node(to):
		var transition := AnimationNodeStateMachineTransition.new()
		transition.xfade_time = FADE_S
		machine.add_transition(from, to, transition)
