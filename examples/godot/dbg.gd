extends "res://play.gd"
func _initialize() -> void:
	var given := OS.get_cmdline_user_args()
	who = Character.load_from(given[0])
	root.add_child(who)
	who.clip_set.skeleton.skeleton_updated.connect(_see)
	who.on_ground = false
	await process_frame
	var dir := deg_to_rad(float(given[3]))
	if given.size() > 3:
		who.face = Vector3(0,0,1)
	await _go(1.5, Vector3(0,0,float(given[2])).rotated(Vector3.UP, dir))
	var last := Vector3.ZERO
	var lastv := Vector3.ZERO
	for i in 70:
		_watch()
		var was := [who.foot_lock.points_of(0), who.foot_lock.points_of(1)]
		await _frame(Vector3(0,0,float(given[2])).rotated(Vector3.UP, dir))
		var out := "%3d ph %.3f reach %.2f sunk %.4f " % [i, who.phase, who.blend.reach, who.foot_lock.sunk]
		for side in 2:
			var p: PackedVector3Array = who.foot_lock.points_of(side)
			var low := 0
			for row in 3:
				if p[row].y < p[low].y:
					low = row
			var way: Vector3 = p[low] - was[side][low]
			out += "| %s %s y %6.2f v %6.2f off %s " % [["S","-"][int(not who.foot_lock.stands[side])], "hbt"[low], 100*p[low].y, 100*Vector2(way.x, way.z).length(), (100*who.foot_lock.feet[side].off).snappedf(0.1)]
		var pp: Vector3 = watched["pelvis"][-1] if watched["pelvis"] else Vector3.ZERO
		out += " acc %s" % ((pp - last) * 60 - lastv).snappedf(0.001)
		lastv = (pp - last) * 60
		last = pp
		print(out)
	quit()
