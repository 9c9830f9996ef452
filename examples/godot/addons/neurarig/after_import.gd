## Once a set has been imported: loops loop, contacts are markers of the clips, and the character's scene is there.
##
## Markers are named `left_1`, `right_2`, …, by foot and count; `AnimationPlayer` and trees tell of them by name.
@tool
extends EditorScenePostImport

const ClipSet := preload("clip_set.gd")
const COLOURS := {"left": Color.ORANGE_RED, "right": Color.DODGER_BLUE}
const SCENE := """[gd_scene format=3]

[ext_resource type="Script" path="%s/character.gd" id="1"]
[ext_resource type="Script" path="%s/controls.gd" id="2"]
[ext_resource type="JSON" path="%s" id="3"]
[ext_resource type="PackedScene" path="%s" id="4"]

[sub_resource type="CapsuleShape3D" id="5"]
radius = %f
height = %f

[node name="%s" type="CharacterBody3D"]
script = ExtResource("1")
manifest = ExtResource("3")

[node name="Model" parent="." instance=ExtResource("4")]

[node name="CollisionShape3D" type="CollisionShape3D" parent="."]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, %f, 0)
shape = SubResource("5")

[node name="Controls" type="Node" parent="."]
script = ExtResource("2")
"""


func _post_import(scene: Node) -> Object:
	var folder := get_source_file().get_base_dir()
	var told: Variant = JSON.parse_string(FileAccess.get_file_as_string(folder.path_join("manifest.json")))
	var players := scene.find_children("*", "AnimationPlayer", true, false)
	if not ClipSet.is_manifest(told) or players.is_empty():
		push_error("'%s' has no manifest.json of a set beside it, or no clips." % get_source_file())
		return scene
	for clip: Dictionary in told["clips"]:
		var animation := ClipSet.animation_of(players[0], clip)
		if animation:
			animation.loop_mode = Animation.LOOP_LINEAR if clip["loops"] else Animation.LOOP_NONE
			animation.length = clip["seconds"]
			_mark(animation, clip, told["fps"])
	var skeletons := scene.find_children("*", "Skeleton3D", true, false)
	var place := folder.path_join("%s.tscn" % get_source_file().get_file().get_basename())
	if not skeletons.is_empty() and not FileAccess.file_exists(place):
		var file := FileAccess.open(place, FileAccess.WRITE)
		file.store_string(_scene_of(told, skeletons[0]))
	return scene


func _mark(animation: Animation, clip: Dictionary, fps: float) -> void:
	var count := {"left": 0, "right": 0}
	for fall: Dictionary in clip["footfalls"]:
		if fall["frame"] < clip["frames"] or not clip["loops"]:  # the end of a loop is its beginning
			count[fall["foot"]] += 1
			var name := "%s_%d" % [fall["foot"], count[fall["foot"]]]
			animation.add_marker(name, fall["frame"] / fps)
			animation.set_marker_color(name, COLOURS[fall["foot"]])


## The scene of a character: the set, a capsule that passes over steps, and controls that can be taken out.
func _scene_of(told: Dictionary, skeleton: Skeleton3D) -> String:
	var lowest := INF
	var highest := -INF
	for row in skeleton.get_bone_count():
		if skeleton.get_bone_parent(row) >= 0:
			var height := skeleton.get_bone_global_rest(row).origin.y
			lowest = minf(lowest, height)
			highest = maxf(highest, height)
	var tall := 1.1 * (highest - lowest)
	var above := 0.25 * tall  # the ground that is a step
	var here: String = get_script().resource_path.get_base_dir()
	return SCENE % [here, here, get_source_file().get_base_dir().path_join("manifest.json"), get_source_file(), 0.13 * tall, tall - above,
		get_source_file().get_file().get_basename().validate_node_name(), 0.5 * (tall + above)]
