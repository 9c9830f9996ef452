## The engine's side of the wire: one packet out a frame, one packet in, as in docs/reference/protocol.md.
##
## python -m neurarig_addon.link serve --profile 1_plain_biped          # in one terminal
## godot --headless --path examples/godot --script link_client.gd       # in another; seconds after `--`, by default 10
extends SceneTree

const FRAME := 0x02
const ANSWER := 0x03
const HANDSHAKE := 0x01
const REPLY_BYTES := 4096  ## the server's reply is no longer than the handshake, so spaces make room for it

var wire := PacketPeerUDP.new()
var inputs: Array
var outputs: Array
## Metres, and fractions of a cycle, by how the names of inputs begin; an input that is not here is 1, which suits scales.
var character := {"velocity": 1.3, "bone_l1": 0.42, "bone_l2": 0.43, "offset_right": 0.0, "offset_left": 0.5, "spacing": 0.08,
	"t_accumulated": 0.0}
var seconds := 10.0
var gone := 0.0
var sent := 0
var answered := 0


func _initialize() -> void:
	var given := OS.get_cmdline_user_args()
	if given.size():
		seconds = given[0].to_float()
	wire.connect_to_host("127.0.0.1", 6003 if given.size() < 2 else given[1].to_int())
	var asked := PackedByteArray([HANDSHAKE]) + JSON.stringify({"protocol": 1, "time": "delta"}).to_utf8_buffer()
	while asked.size() < REPLY_BYTES:
		asked.append(32)
	wire.put_packet(asked)


func _process(delta: float) -> bool:
	while wire.get_available_packet_count():
		_read(wire.get_packet())
	if inputs.size():
		_send(delta)
	gone += delta
	if gone < seconds:
		return false
	print("%d frames sent, %d answered" % [sent, answered])
	quit(0 if answered else 1)
	return true


func _read(packet: PackedByteArray) -> void:
	if packet[0] == HANDSHAKE:
		var told: Dictionary = JSON.parse_string(packet.slice(1).get_string_from_utf8())
		if not told["accept"]:
			push_error(told.get("reason", "The server refuses this rig."))
			quit(1)
			return
		inputs = told["inputs"]
		outputs = told["outputs"]
	elif packet[0] == ANSWER and packet.size() == 1 + 4 * outputs.size():
		answered += 1
		if answered % 60 == 1:
			var row := outputs.find("foot_r.x")
			print("right foot %.3f m forward, %.3f m up" % [packet.decode_float(1 + 4 * row), packet.decode_float(1 + 4 * outputs.find("foot_r.z"))])


func _value(input: String) -> float:
	for key: String in character:
		if input.begins_with(key):
			return character[key]
	return 1.0


func _send(delta: float) -> void:
	var packet := PackedByteArray([FRAME])
	packet.resize(1 + 4 * inputs.size())
	for row in inputs.size():
		packet.encode_float(1 + 4 * row, delta if inputs[row] == "t_cycle" else _value(inputs[row]))
	wire.put_packet(packet)
	sent += 1
