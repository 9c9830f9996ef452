## A place to walk about in, with steps and slopes, for a character that is made now of the set in a folder; left alone, it wanders.
##
## godot --path examples/godot -- FOLDER
extends Node3D

const Character := preload("res://addons/neurarig/character.gd")
const Controls := preload("res://addons/neurarig/controls.gd")
const WANDERS := [Vector2(0, 4), Vector2(-6, -4.5), Vector2(-6, 2), Vector2(0, 5), Vector2(5.4, 7), Vector2(5.4, -3.5)]
const RUNS := [3, 4]  ## places to which it runs
const RESTS := [0, 3]  ## and at which it stands for a while
const NEAR := 0.6
const WAITS_S := 3.0  ## until it wanders again

var who: Character
var goal := 0
var rests := 1.0
var alone := INF  ## seconds since it was steered
var size := 1.0  ## of the character, against a leg of 0.9 m


func _ready() -> void:
	var given := OS.get_cmdline_user_args()
	who = Character.load_from(given[0] if given.size() else "res://set")
	if who == null:
		get_tree().quit(1)
		return
	size = who.clip_set.leg / 0.9
	_add_stage()
	who.add_child(Controls.new())
	add_child(who)


func _process(delta: float) -> void:
	alone += delta
	if Input.get_vector("ui_left", "ui_right", "ui_up", "ui_down").length() > Controls.STICK:
		alone = 0.0
	elif alone > WAITS_S:
		who.wish = _way(delta)


## Where to and how fast it wanders.
func _way(delta: float) -> Vector3:
	var way := Vector3(WANDERS[goal].x, 0.0, WANDERS[goal].y) * size - who.global_position
	way.y = 0.0
	if way.length() < NEAR * size:
		rests = 1.6 if goal in RESTS else 0.0
		goal = (goal + 1) % WANDERS.size()
	rests -= delta
	return Vector3.ZERO if rests > 0.0 else way.normalized() * (who.run_speed() if goal in RUNS else who.walk_speed())


## Ground with chequers, steps up and down, and a ramp; all as large as the character asks.
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
