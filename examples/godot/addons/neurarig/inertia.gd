## What a pose is off when another one is played from a frame on: it fades away with its speed, so that nothing jumps and nothing is mixed.
extends RefCounted

const HALF_LIFE_S := 0.055
const LASTS_S := 0.6
const FASTEST := 12.0  ## radians a second that are carried over

var gone := LASTS_S
var _off: PackedVector3Array  ## turns as rotation vectors, then places
var _flow: PackedVector3Array


## Begin: `was`, `before`: the poses shown last and before it; `now`, `next`: those of the new clip at the last frame, and at this one;
## each turns and places.
func begin(was: Array, before: Array, now: Array, next: Array, delta: float) -> void:
	_off = PackedVector3Array()
	_flow = PackedVector3Array()
	for row in was[0].size():
		_off.append(_vector(was[0][row] * now[0][row].inverse()))
		var flow := _vector(was[0][row] * before[0][row].inverse()) - _vector(next[0][row] * now[0][row].inverse())
		_flow.append((flow / delta).limit_length(FASTEST))
	for row in was[1].size():
		_off.append(was[1][row] - now[1][row])
		_flow.append((was[1][row] - before[1][row] - next[1][row] + now[1][row]) / delta)
	gone = 0.0


## Add what is left to a pose, a while later.
func add(turns: Array[Quaternion], places: PackedVector3Array, delta: float) -> void:
	gone += delta
	if gone >= LASTS_S:
		return
	var stiff := 0.69314718 * 2.0 / HALF_LIFE_S
	var left := exp(-stiff * gone)
	var count := turns.size()
	for row in count:
		var off := left * (_off[row] + (_flow[row] + stiff * _off[row]) * gone)
		var angle := off.length()
		if angle > 1e-5:
			turns[row] = Quaternion(off / angle, angle) * turns[row]
	for row in places.size():
		places[row] += left * (_off[count + row] + (_flow[count + row] + stiff * _off[count + row]) * gone)


static func _vector(turn: Quaternion) -> Vector3:
	var near := turn if turn.w >= 0.0 else -turn
	var axis := Vector3(near.x, near.y, near.z)
	var sine := axis.length()
	return axis * (2.0 * atan2(sine, near.w) / sine) if sine > 1e-7 else 2.0 * axis
