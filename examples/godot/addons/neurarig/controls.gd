## Steers the character that it is a child of: arrow keys or the left stick go where the camera sees them, Shift or A runs, Ctrl or the left
## shoulder faces away from the camera and so goes sideways.  Without a camera in the scene, one follows; the mouse or the right stick turns it.
extends Node

const STICK := 0.15  ## below which a stick is left alone
const AWAY := 4.6  ## of the leg: the camera's distance
const UP := 0.3  ## radians above the character

@export var own_camera := true  ## follow with a camera of its own, if the scene has none

var around := 0.6  ## radians, of the camera
var camera: Camera3D
@onready var who: CharacterBody3D = get_parent()


func _process(delta: float) -> void:
	var eye := get_viewport().get_camera_3d()
	if eye == null and own_camera:
		camera = Camera3D.new()
		camera.fov = 45.0
		add_child(camera)
		camera.global_position = _aims() + _from()
		eye = camera
	if camera:
		var turned := Input.get_joy_axis(0, JOY_AXIS_RIGHT_X)
		around -= 2.0 * delta * turned if absf(turned) > STICK else 0.0
		camera.global_position = camera.global_position.lerp(_aims() + _from(), 1.0 - exp(-6.0 * delta))
		camera.look_at(_aims())
	var stick := Input.get_vector("ui_left", "ui_right", "ui_up", "ui_down")
	who.wish = Vector3.ZERO
	if eye and stick.length() > STICK:
		var right := Vector3(eye.global_basis.x.x, 0.0, eye.global_basis.x.z).normalized()
		var runs := Input.is_key_pressed(KEY_SHIFT) or Input.is_joy_button_pressed(0, JOY_BUTTON_A)
		who.wish = (right * stick.x + right.cross(Vector3.UP) * stick.y) * (who.run_speed() if runs else who.walk_speed())
	var faces := Input.is_key_pressed(KEY_CTRL) or Input.is_joy_button_pressed(0, JOY_BUTTON_LEFT_SHOULDER)
	who.face = -eye.global_basis.z if eye and faces else Vector3.ZERO


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouseMotion and event.button_mask:
		around -= 0.006 * event.relative.x


func _aims() -> Vector3:
	return who.global_position + Vector3.UP * who.clip_set.leg


func _from() -> Vector3:
	return AWAY * who.clip_set.leg * Vector3(sin(around) * cos(UP), sin(UP), cos(around) * cos(UP))
