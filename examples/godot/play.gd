## Plays the character as a game does, and measures what a player would see: slip, pelvis, response.
##
## godot --headless --fixed-fps 60 --path examples/godot --script play.gd -- FOLDER|SCENE.tscn OUT.json [drawn inputs [seconds each]]
extends SceneTree

const Character := preload("res://addons/neurarig/character.gd")
const NEAR := 0.006  ## of the leg: how near the ground a foot's lowest point is when it counts as touching it
const LEG := 0.9  ## metres: of whom the figures are

var who: Character
var fps := 60.0
var watched := {}


func _initialize() -> void:
	Engine.physics_jitter_fix = 0.0  # frames are equally long then
	var given := OS.get_cmdline_user_args()
	who = load(given[0]).instantiate() if given[0].ends_with(".tscn") else Character.load_from(given[0])
	if who == null:
		quit(1)
		return
	for controls in who.find_children("Controls", "", false):
		controls.free()
	root.add_child(who)
	await process_frame
	who.clip_set.skeleton.skeleton_updated.connect(_see)
	who.on_ground = false
	for frame in 20:
		await process_frame
	fps = roundf(1.0 / root.get_process_delta_time())
	var walk: float = who.walk_speed()
	var run: float = who.run_speed()
	var found := {"fps": fps, "leg": who.clip_set.leg, "walk": walk, "run": run}
	found["steady"] = {}
	for speed: float in [0.2 * walk, 0.5 * walk, walk, 0.5 * (walk + run), run]:
		found["steady"]["%.2f" % speed] = await _steady(speed, Vector3.ZERO)
	found["directions"] = {}
	for direction in range(0, 360, 15):
		found["directions"][str(direction)] = await _steady(0.6 * walk, Vector3(0, 0, 1).rotated(Vector3.UP, deg_to_rad(direction)))
	found["release_walk"] = await _release(walk)
	found["release_run"] = await _release(run)
	found["tap_walk"] = await _tap(walk)
	found["tap_run"] = await _tap(run)
	found["behind"] = await _turned_back(1.0, Vector3.ZERO, walk)
	found["reversal"] = await _turned_back(2.0, Vector3(0, 0, walk), walk)
	found["sweep"] = await _sweep(5.0 * sqrt(who.clip_set.leg / LEG))
	var drawn := int(given[2]) if given.size() > 2 else 1
	found["drawn"] = []
	for seed_of in drawn:
		found["drawn"].append(await _drawn(seed_of, float(given[3]) if given.size() > 3 else 60.0, walk, run))
	var file := FileAccess.open(given[1], FileAccess.WRITE)
	file.store_string(JSON.stringify(found))
	file.close()
	quit()


func _steady(speed: float, along: Vector3) -> Dictionary:
	_begin()
	who.face = Vector3(0, 0, 1) if along.length() else Vector3.ZERO
	await _go(1.5, (along if along.length() else Vector3(0, 0, 1)) * speed)
	_watch()
	var from := who.global_position
	await _go(4.0, (along if along.length() else Vector3(0, 0, 1)) * speed)
	var told := _told()
	told["speed"] = (who.global_position - from).length() / 4.0 / speed
	return told


func _release(speed: float) -> Dictionary:
	var worst := {"seconds": 0.0, "metres": 0.0, "slip": 0.0}
	for lead in 6:
		_begin()
		await _go(2.5 + 0.17 * lead, Vector3(0, 0, speed))
		_watch()
		var from := who.global_position
		var seconds := await _until(func() -> bool: return not who.moves, 5.0, Vector3.ZERO)
		await _go(0.5, Vector3.ZERO)
		worst["seconds"] = maxf(worst["seconds"], seconds)
		worst["metres"] = maxf(worst["metres"], (who.global_position - from).length())
		worst["slip"] = maxf(worst["slip"], _told()["slip"])
	return worst


func _tap(speed: float) -> Dictionary:
	_begin()
	await _go(1.0, Vector3.ZERO)
	_watch()
	await _go(0.25, Vector3(0, 0, speed))
	var seconds := await _until(func() -> bool: return not who.moves, 5.0, Vector3.ZERO)
	await _go(0.5, Vector3.ZERO)
	var told := _told()
	told["seconds"] = seconds
	told["metres"] = who.global_position.length()
	return told


## Go back the way one faces, after some seconds of standing or walking.
func _turned_back(seconds: float, before: Vector3, speed: float) -> Dictionary:
	_begin()
	await _go(seconds, before)
	_watch()
	var took := await _until(func() -> bool: return -who.velocity.z > 0.9 * speed and who.global_basis.z.z < -0.9, 5.0, Vector3(0.01, 0, -speed))
	await _go(1.0, Vector3(0, 0, -speed))
	var told := _told()
	told["seconds"] = took
	return told


func _sweep(most: float) -> Dictionary:
	_begin()
	await _go(2.0, Vector3(0, 0, most))
	_watch()
	await _go(3.0, Vector3(0, 0, most))
	var steady := _told()
	_begin()
	await _go(1.0, Vector3.ZERO)
	_watch()
	for frame in int(2.0 * fps):
		var share := frame / fps
		await _frame(Vector3(0, 0, most * (share if share < 1.0 else 2.0 - share)))
	await _go(1.0, Vector3.ZERO)
	var told := _told()
	told["pelvis_of_run"] = told["pelvis"] / steady["pelvis"]
	return told


## Inputs as a player gives them: releases, taps, turns, reversals, changes of speed.
func _drawn(seed_of: int, seconds: float, walk: float, run: float) -> Dictionary:
	var chance := RandomNumberGenerator.new()
	chance.seed = seed_of
	_begin()
	_watch()
	var left := seconds
	var heard := 0.0
	var inputs := 0
	while left > 0.0:
		var wish := Vector3.ZERO
		if chance.randf() < 0.75:
			wish = Vector3(0, 0, [0.4 * walk, walk, 0.5 * (walk + run), run][chance.randi() % 4]).rotated(Vector3.UP, chance.randf() * TAU)
		var lasts := chance.randf_range(0.2, 2.5)
		var was := who.velocity
		var change := wish - was
		if change.length() > 0.3 * walk and lasts > 0.3:
			inputs += 1
			var spent := await _until(func() -> bool: return (who.velocity - was).dot(change.normalized()) > 0.1 * minf(change.length(), walk), 0.3, wish)
			heard = maxf(heard, spent)
			lasts -= spent
			left -= spent
		await _go(lasts, wish)
		left -= lasts
	var told := _told()
	told["heard"] = heard
	told["inputs"] = inputs
	return told


func _begin() -> void:
	who.put(Transform3D.IDENTITY)
	who.face = Vector3.ZERO
	_watch()


func _frame(wish: Vector3) -> void:
	who.wish = wish
	await process_frame


func _go(seconds: float, wish: Vector3) -> void:
	for frame in int(seconds * fps):
		await _frame(wish)


func _until(done: Callable, at_most: float, wish: Vector3) -> float:
	var frames := 0
	while frames < at_most * fps:
		await _frame(wish)
		frames += 1
		if done.call():
			break
	return frames / fps


func _watch() -> void:
	watched = {"slips": [], "open": [0.0, 0.0], "frames": [0, 0], "pelvis": [], "sinks": 0.0, "hovers": 0.0, "was": [], "lost": 0.0}


## Look at the pose that is shown, after every modifier.
func _see() -> void:
	if watched.is_empty():
		return
	var leg := who.clip_set.leg
	var feet := []
	var there := who.clip_set.skeleton.global_transform
	for side in 2:
		var points := PackedVector3Array()
		for point in who.clip_set.sole(side):
			points.append(there * point)
		feet.append(points)
		var low := 0
		for row in points.size():
			if points[row].y < points[low].y:
				low = row
		watched["sinks"] = maxf(watched["sinks"], -points[low].y)
		var near := points[low].y < NEAR * leg
		if near and watched["was"] and watched["frames"][side] > 0:
			var way: Vector3 = points[low] - watched["was"][side][low]
			watched["open"][side] += Vector2(way.x, way.z).length()
		if near:
			watched["frames"][side] += 1
		elif watched["frames"][side] > 0:
			watched["slips"].append(watched["open"][side] * LEG / leg)
			watched["open"][side] = 0.0
			watched["frames"][side] = 0
	watched["was"] = feet
	watched["pelvis"].append(there * who.clip_set.skeleton.get_bone_global_pose(who.clip_set.pelvis).origin)


## What was watched: slip a contact, at most and of 95 %, per 0.9 m of leg; the pelvis's greatest acceleration.
func _told() -> Dictionary:
	var slips: Array = watched["slips"].duplicate()
	for side in 2:
		if watched["frames"][side] > 0:
			slips.append(watched["open"][side] * LEG / who.clip_set.leg)
	slips.sort()
	var fastest := 0.0
	var places: Array = watched["pelvis"]
	for row in range(2, places.size()):
		fastest = maxf(fastest, (places[row] - 2.0 * places[row - 1] + places[row - 2]).length() * fps * fps)
	return {"slip": slips[-1] if slips else 0.0, "slip_95": slips[int(0.95 * (slips.size() - 1))] if slips else 0.0, "contacts": slips.size(),
		"pelvis": fastest, "sinks": watched["sinks"]}
