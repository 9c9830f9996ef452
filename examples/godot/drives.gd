## What a walker does at all speeds and on bent ways, as a game plays it: how far its feet slip, how fast its bones turn.
extends RefCounted

const ClipSet := preload("res://clip_set.gd")
const Walker := preload("res://walker.gd")
const Stood := preload("res://stood.gd")
const RATE := 60.0  ## frames of the game a second
const LONGEST_S := 60.0
const PLACES := [Vector2(0.0, 4.0), Vector2(3.0, 6.0), Vector2(6.0, 3.0), Vector2(2.0, -3.0)]  ## seconds to the left and ahead, at full speed
const NEAR_S := 1.0  ## from a place at which it goes to the next
const PIVOTS := {"heel": "h", "ball": "fb", "toe": "t"}  ## during which a foot is turned over a point, and so has it stand still

var clip_set: ClipSet
var tree: AnimationTree


func _init(a_set: ClipSet, its_tree: AnimationTree) -> void:
	clip_set = a_set
	tree = its_tree


## Each group that has a start, at several shares of its speed, and both in turn: "group share" -> what was measured.
func all() -> Dictionary:
	var found := {}
	var groups := {}
	for clip: Dictionary in clip_set.clips.values():
		if clip["kind"] == "start":
			groups[clip["group"]] = true
	for group: String in groups:
		for share: float in [0.4, 0.7, 1.0]:
			found["%s %.1f" % [group, share]] = _drive([group], share)
	if groups.size() > 1:
		found[" ".join(groups.keys())] = _drive(groups.keys(), 1.0)
	return found


## Rotations of all bones with a role, seen from the root bone.
static func turns_of(a_set: ClipSet) -> Array[Quaternion]:
	var root_turn := a_set.skeleton.get_bone_global_pose(a_set.root_bone).basis.get_rotation_quaternion()
	var found: Array[Quaternion] = []
	for role: String in a_set.manifest["bones"]:
		found.append(root_turn.inverse() * a_set.skeleton.get_bone_global_pose(a_set.bone(role)).basis.get_rotation_quaternion())
	return found


## Have it go to places one after the other, in groups in turn, and stop.  Returns the greatest `slip` in metres of a point that stands, in
## so many `looks`; the fastest `turn` of a bone in degrees a second; how many places it `reached`, and in which `states` it was.
func _drive(groups: Array, share: float) -> Dictionary:
	clip_set.character.transform = Transform3D.IDENTITY
	var walker := Walker.new(clip_set, tree)
	var speed: float = clip_set.clips["%s_forward" % groups[-1]]["speed"]
	var goal := 0
	var stood := Stood.new(_feet())
	var before := turns_of(clip_set)
	var turn := 0.0
	var states := {}
	for frame in int(LONGEST_S * RATE):
		var wish := Vector3.ZERO
		if goal < PLACES.size():
			wish = speed * Vector3(PLACES[goal].x, 0.0, PLACES[goal].y) - clip_set.character.global_position
			if wish.length() < NEAR_S * speed:
				goal += 1
		elif walker.state == "idle":
			break
		var stands := walker.standing()
		walker.step(1.0 / RATE, share * wish.normalized(), groups[goal % groups.size()])
		states[walker.state] = true
		stood.look(_feet(), _standing(stands, walker.standing()))
		var now := turns_of(clip_set)
		for row in now.size():
			turn = maxf(turn, RATE * rad_to_deg(now[row].angle_to(before[row])))
		before = now
	return {"slip": stood.at_samples, "looks": stood.looks, "turn": turn, "reached": goal, "states": states.keys()}


func _feet() -> Array[Vector3]:
	return Stood.points_of(clip_set, clip_set.character.global_transform)


## Which points stand from one frame to the next.
func _standing(before: Array[String], now: Array[String]) -> Array:
	var found := []
	for side in 2:
		for pivots: String in PIVOTS.values():
			found.append(Array((before[side] + now[side]).split("")).all(func(pivot: String) -> bool: return pivots.contains(pivot)))
	return found
