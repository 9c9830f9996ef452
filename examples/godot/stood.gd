## How far the points of feet that stand have been from where they came to stand, over the ground.
extends RefCounted

var at_samples := 0.0  ## metres, at most
var between := 0.0
var looks := 0  ## at points that stood
var _began: Array[Vector3]
var _last: Array[Vector3]  ## at the last sample
var _stands: Array


## `feet`: places of the points of both feet.
func _init(feet: Array[Vector3]) -> void:
	_began = feet.duplicate()
	_last = feet
	_stands = feet.map(func(_point: Vector3) -> bool: return false)


## `standing`: which of them stand since the last sample.
func look(feet: Array[Vector3], standing: Array, is_sample := true) -> void:
	for row in feet.size():
		if standing[row] and not _stands[row]:
			_began[row] = _last[row]
		_stands[row] = standing[row]
		if standing[row]:
			var way := feet[row] - _began[row]
			between = maxf(between, Vector2(way.x, way.z).length())
			if is_sample:
				at_samples = maxf(at_samples, Vector2(way.x, way.z).length())
			looks += 1
	if is_sample:
		_last = feet
