## A place to walk about in: steps, slopes and a ball to look at, with a character made of the set in a folder.
##
## Arrow keys or a stick steer, Shift runs, Ctrl looks where the camera looks (and so goes sideways), the right stick or the mouse turns the
## camera; left alone, it wanders.  godot --path examples/godot -- FOLDER
extends Node3D

const Character := preload("res://addons/neurarig/character.gd")
const STICK := 0.15  ## of a stick, below which it is left alone
const WANDERS := [Vector2(0, 5), Vector2(3, 6.5), Vector2(5.5, 3), Vector2(5, -3), Vector2(0, -4.5), Vector2(-4, -3.5), Vector2(-6, 1), Vector2(-3, 1)]
const RUNS := [2, 3, 6]  ## places to which it runs
const RESTS := [1, 5]  ## and at which it stands for a while
const NEAR := 0.6
const AWAY := 4.2  ## of its leg: the camera's distance

var who: Character
var goal := 0
var rests := 1.0
var around := 0.9  ## radians, of the camera
var size := 1.0  ## of the character, against a leg of 0.9 m


func _ready() -> void:
	var given := OS.get_cmdline_user_args()
	who = Character.load_from(given[0] if given.size() else "res://set")
	if who == null:
		get_tree().quit(1)
		return
	size = who.clip_set.leg / 0.9
	_add_stage()
	add_child(who)


func _process(delta: float) -> void:
	var wish := _wish(delta)
	who.wish = wish
	var camera := get_viewport().get_camera_3d()
	who.face = -camera.global_basis.z if Input.is_key_pressed(KEY_CTRL) else Vector3.ZERO
	var aims := who.global_position + Vector3.UP * 1.0 * who.clip_set.leg
	around -= 2.0 * delta * Input.get_joy_axis(0, JOY_AXIS_RIGHT_X) if absf(Input.get_joy_axis(0, JOY_AXIS_RIGHT_X)) > STICK else 0.0
	var from := aims + Vector3(sin(around), 0.28, cos(around)) * AWAY * who.clip_set.leg
	camera.global_position = camera.global_position.lerp(from, 1.0 - exp(-4.0 * delta)) if camera.global_position.length() > 0.0 else from
	camera.look_at(aims)


func _input(event: InputEvent) -> void:
	if event is InputEventMouseMotion and event.button_mask:
		around -= 0.006 * event.relative.x


## Where to and how fast, in the world: by keys or a stick as the camera sees it, else towards the next place.
func _wish(delta: float) -> Vector3:
	var walk: float = who.clip_set.speed_of(who.clip_set.rings[0])
	var run: float = who.clip_set.speed_of(who.clip_set.rings[mini(1, who.clip_set.rings.size() - 1)])
	var stick := Input.get_vector("ui_left", "ui_right", "ui_up", "ui_down")
	if stick.length() > STICK:
		var seen := get_viewport().get_camera_3d().global_basis
		var ahead := Vector3(seen.z.x, 0.0, seen.z.z).normalized()
		return (seen.x * stick.x + ahead * stick.y) * (run if Input.is_key_pressed(KEY_SHIFT) or Input.is_joy_button_pressed(0, JOY_BUTTON_A) else walk)
	var way := Vector3(WANDERS[goal].x, 0.0, WANDERS[goal].y) * size - who.global_position
	way.y = 0.0
	if way.length() < NEAR * size:
		rests = 1.6 if goal in RESTS else 0.0
		goal = (goal + 1) % WANDERS.size()
	rests -= delta
	return Vector3.ZERO if rests > 0.0 else way.normalized() * (run if goal in RUNS else walk)


## Ground with chequers, four steps up and down, a slope and a ball; all as large as the character asks.
func _add_stage() -> void:
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
	_add_block(Vector3(0.0, -0.5, 0.0), Vector3(60.0, 1.0, 60.0), 0.0)
	for step in 5:
		var height := 0.15 * minf(step + 1, 5 - step)
		_add_block(Vector3(-6.0, 0.5 * height, -2.2 + 0.4 * step), Vector3(2.4, height, 0.4), 0.0)
	_add_block(Vector3(5.4, -0.15, 0.0), Vector3(3.0, 0.6, 3.4), 0.22)
	_add_block(Vector3(5.4, -0.15, 3.2), Vector3(3.0, 0.6, 3.4), -0.22)


func _add_block(middle: Vector3, extent: Vector3, turned: float) -> void:
	var body := StaticBody3D.new()
	body.position = size * middle
	body.rotation.x = turned
	var shape := CollisionShape3D.new()
	var box := BoxShape3D.new()
	box.size = size * extent
	shape.shape = box
	body.add_child(shape)
	var seen := MeshInstance3D.new()
	var mesh := BoxMesh.new()
	mesh.size = size * extent
	seen.mesh = mesh
	var shader := Shader.new()
	shader.code = "shader_type spatial; varying vec3 at; void vertex() { at = (MODEL_MATRIX * vec4(VERTEX, 1.0)).xyz; }
		void fragment() { vec2 on = step(0.5, fract(%f * at.xz)); ALBEDO = vec3(0.45 + 0.15 * abs(on.x - on.y)); ROUGHNESS = 1.0; }" % (0.5 / size)
	var material := ShaderMaterial.new()
	material.shader = shader
	seen.material_override = material
	body.add_child(seen)
	add_child(body)
