## A character that walks about on a set of clips, moved by its root motion alone.
##
## Arrow keys or a gamepad steer it; left alone, it wanders.  Shift runs.  The folder of the set is the first argument after `--`.
extends Node3D

const ClipSet := preload("res://clip_set.gd")
const TURNS := 3.0  ## radians a second that it turns towards where it is steered
const CHANGES := 4.0  ## m/s^2 by which its speed changes
const STANDS := 0.1  ## of a stick, below which it stands
const WANDERS := [Vector3(0, 0, 6), Vector3(5, 0, 3), Vector3(4, 0, -4), Vector3(-3, 0, -2)]  ## places it goes to, left alone

var clip_set: ClipSet
var tree: AnimationTree
var playback: AnimationNodeStateMachinePlayback
var velocity := 0.0
var heading := 0.0
var goal := 0


func _ready() -> void:
	var given := OS.get_cmdline_user_args()
	clip_set = ClipSet.load_from(given[0] if given.size() else "res://set")
	if clip_set == null:
		get_tree().quit(1)
		return
	add_child(clip_set.character)
	tree = clip_set.add_tree()
	playback = tree["parameters/playback"]
	playback.start("idle")
	_add_stage()


func _process(delta: float) -> void:
	var wish := _wish()
	var ahead := clip_set.character.global_basis.z
	if wish.length() > STANDS:
		var off := ahead.signed_angle_to(wish, Vector3.UP)
		clip_set.character.rotate_y(clampf(off, -TURNS * delta, TURNS * delta))
	_go(wish.length(), delta)
	var state := playback.get_current_node()
	if clip_set.manifest["blend_spaces"].has(state):
		clip_set.character.transform *= clip_set.go(tree, state, Vector2(0.0, velocity), delta)
	else:
		tree.advance(delta)
		clip_set.character.transform *= clip_set.moved(tree)
	var camera := get_viewport().get_camera_3d()
	camera.global_position = clip_set.character.global_position + Vector3(2.4, 1.3, 2.4)
	camera.look_at(clip_set.character.global_position + Vector3(0.0, 0.9, 0.0))


## Have the state machine stand, start, go on at a speed, or stop.
func _go(share: float, delta: float) -> void:
	var state := playback.get_current_node()
	var group := "run" if Input.is_key_pressed(KEY_SHIFT) and clip_set.manifest["blend_spaces"].has("run") else "walk"
	var full: float = clip_set.clips["%s_forward" % group]["speed"]
	if state == "idle" and share > STANDS:
		velocity = full
		playback.travel("%s_start_left_foot" % group if clip_set.clips.has("%s_start_left_foot" % group) else group)
	elif state == "walk" or state == "run":
		velocity = move_toward(velocity, full, CHANGES * delta)
		var stop := "%s_stop_left_foot" % state
		if share <= STANDS and clip_set.clips.has(stop) and _phase_is(state, clip_set.clips[stop]["enters"]["phase"], delta):
			playback.travel(stop)


## Whether the loop of a group comes to a phase within a frame.
func _phase_is(group: String, phase: float, delta: float) -> bool:
	var length: float = clip_set.manifest["groups"][group]["seconds"]
	return absf(wrapf(fmod(playback.get_current_play_position(), length) - phase * length, -0.5 * length, 0.5 * length)) <= delta


## Where it is steered, at most 1 long: by keys or a stick, else towards the next place.
func _wish() -> Vector3:
	var stick := Input.get_vector("ui_left", "ui_right", "ui_up", "ui_down")
	if stick.length() > STANDS:
		return Vector3(stick.x, 0.0, stick.y)
	var way: Vector3 = WANDERS[goal] - clip_set.character.global_position
	way.y = 0.0
	if way.length() < 0.7:
		goal = (goal + 1) % WANDERS.size()
	return way.normalized()


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
