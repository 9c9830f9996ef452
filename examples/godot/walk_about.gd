## A character that walks about on a set of clips, moved by its root motion alone.
##
## Arrow keys or a gamepad steer it; left alone, it wanders.  Shift runs.  The folder of the set is the first argument after `--`.
extends Node3D

const ClipSet := preload("res://clip_set.gd")
const Walker := preload("res://walker.gd")
const STICK := 0.1  ## of a stick, below which it is left alone
const WANDERS := [Vector3(0, 0, 6), Vector3(5, 0, 3), Vector3(4, 0, -4), Vector3(-3, 0, -2)]  ## places it goes to, left alone
const RUNS_TO := 3  ## the place to which it runs
const NEAR := 0.7  ## metres from a place at which it goes to the next
const RESTS_S := 3.5  ## at every other place

var clip_set: ClipSet
var walker: Walker
var goal := 0
var rests := 1.0


func _ready() -> void:
	var given := OS.get_cmdline_user_args()
	clip_set = ClipSet.load_from(given[0] if given.size() else "res://set")
	if clip_set == null:
		get_tree().quit(1)
		return
	add_child(clip_set.character)
	walker = Walker.new(clip_set, clip_set.add_tree())
	_add_stage()


func _process(delta: float) -> void:
	walker.step(delta, _wish(delta), "run" if _runs() and clip_set.manifest["blend_spaces"].has("run") else "walk")
	var camera := get_viewport().get_camera_3d()
	camera.global_position = clip_set.character.global_position + Vector3(2.4, 1.3, 2.4)
	camera.look_at(clip_set.character.global_position + Vector3(0.0, 0.9, 0.0))


func _stick() -> Vector2:
	return Input.get_vector("ui_left", "ui_right", "ui_up", "ui_down")


func _runs() -> bool:
	return Input.is_key_pressed(KEY_SHIFT) or (goal == RUNS_TO and _stick().length() < STICK)


## Where it is steered, at most 1 long: by keys or a stick, else towards the next place.
func _wish(delta: float) -> Vector3:
	var stick := _stick()
	if stick.length() > STICK:
		return Vector3(stick.x, 0.0, stick.y)
	var way: Vector3 = WANDERS[goal] - clip_set.character.global_position
	way.y = 0.0
	if way.length() < NEAR:
		goal = (goal + 1) % WANDERS.size()
		rests = RESTS_S if goal % 2 == 0 else 0.0
	rests -= delta
	return way.normalized() if rests < 0.0 else Vector3.ZERO


func _add_stage() -> void:
	var floor_mesh := MeshInstance3D.new()
	var plane := PlaneMesh.new()
	plane.size = Vector2(40.0, 40.0)
	plane.subdivide_width = 39
	floor_mesh.mesh = plane
	var shader := Shader.new()
	shader.code = "shader_type spatial; varying vec3 at; void vertex() { at = VERTEX; }
		void fragment() { vec2 on = step(0.5, fract(0.5 * at.xz)); ALBEDO = vec3(0.45 + 0.15 * abs(on.x - on.y)); ROUGHNESS = 1.0; }"
	var material := ShaderMaterial.new()
	material.shader = shader
	floor_mesh.material_override = material
	add_child(floor_mesh)
	var sun := DirectionalLight3D.new()
	sun.rotation = Vector3(-0.9, 0.6, 0.0)
	sun.shadow_enabled = true
	add_child(sun)
	var world := WorldEnvironment.new()
	world.environment = Environment.new()
	world.environment.background_mode = Environment.BG_COLOR
	world.environment.background_color = Color(0.75, 0.8, 0.85)
	world.environment.ambient_light_source = Environment.AMBIENT_SOURCE_COLOR
	world.environment.ambient_light_color = Color(0.6, 0.6, 0.65)
	add_child(world)
	add_child(Camera3D.new())
