## Has Godot import each set of NeuraRig in the project as it is: at its own rate, without the optimizer, and made a character to drag in.
##
## A set is a folder with a manifest.json of format neurarig-set and the GLB that it names.
@tool
extends EditorPlugin

const ClipSet := preload("clip_set.gd")
const AFTER := "after_import.gd"  ## what is done with the clips


func _enter_tree() -> void:
	_look()  # before the editor imports what is new
	var files := EditorInterface.get_resource_filesystem()
	files.filesystem_changed.connect(_look)
	files.resources_reimported.connect(_show)


func _exit_tree() -> void:
	var files := EditorInterface.get_resource_filesystem()
	files.filesystem_changed.disconnect(_look)
	files.resources_reimported.disconnect(_show)


## Import the sets anew that have come since, or that were there before the plugin was enabled.
func _look() -> void:
	var files := EditorInterface.get_resource_filesystem()
	var changed := _prepare()
	if changed and not files.is_scanning() and files.get_file_type(changed[0]):
		files.reimport_files.call_deferred(changed)


## Show the scenes that imports have made.
func _show(imported: PackedStringArray) -> void:
	var files := EditorInterface.get_resource_filesystem()
	for file in imported:
		var scene := file.get_basename() + ".tscn"
		if FileAccess.file_exists(scene) and not files.get_file_type(scene):
			files.scan.call_deferred()


## Set the options of the sets' files, and return those that had others.
func _prepare() -> PackedStringArray:
	var changed := PackedStringArray()
	for folder in _folders("res://"):
		var told: Variant = JSON.parse_string(FileAccess.get_file_as_string(folder.path_join("manifest.json")))
		if not ClipSet.is_manifest(told):
			continue
		var files := {}
		for clip: Dictionary in told["clips"]:
			files[clip["file"]] = true
		for file: String in files:
			if file.get_extension() == "glb" and FileAccess.file_exists(folder.path_join(file)) and _set_options(folder.path_join(file), told):
				changed.append(folder.path_join(file))
	return changed


func _folders(from: String) -> PackedStringArray:
	var found := PackedStringArray()
	if FileAccess.file_exists(from.path_join("manifest.json")):
		found.append(from)
	for folder in DirAccess.get_directories_at(from):
		if not folder.begins_with(".") and not FileAccess.file_exists(from.path_join(folder).path_join(".gdignore")):
			found.append_array(_folders(from.path_join(folder)))
	return found


func _set_options(file: String, told: Dictionary) -> bool:
	var options := ConfigFile.new()
	options.load(file + ".import")
	var script: String = get_script().resource_path.get_base_dir().path_join(AFTER)
	if options.get_value("params", "import_script/path", "") == script and options.get_value("params", "animation/fps", 0) == told["fps"]:
		return false
	var parts: Dictionary = options.get_value("params", "_subresources", {})
	# Where nothing is said, keys are thinned out, and feet slip by a centimetre.
	parts.get_or_add("nodes", {}).get_or_add("PATH:AnimationPlayer", {})["optimizer/enabled"] = false
	if not options.has_section("remap"):
		options.set_value("remap", "importer", "scene")
		options.set_value("remap", "type", "PackedScene")
	options.set_value("params", "animation/fps", told["fps"])
	options.set_value("params", "animation/trimming", false)
	options.set_value("params", "animation/remove_immutable_tracks", false)
	options.set_value("params", "import_script/path", script)
	options.set_value("params", "_subresources", parts)
	return options.save(file + ".import") == OK
