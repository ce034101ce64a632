package calls

import "bytes"

// longestMessage is the maximum size in bytes of a message of a stream or socket. Messages of
// the service are far smaller.
const longestMessage = 64 << 20

// tooLong is the reason why a message longer than longestMessage is invalid.
const tooLong = "a message is longer than 64 MiB"

// byteOrderMark can precede the first line of a stream.
var byteOrderMark = []byte("\uFEFF")

// eventParser parses an event stream (Server-Sent Events) from chunks of any size.
type eventParser struct {
	line     []byte
	hasBegun bool
	afterCR  bool
	kind     string
	data     []byte
	hasData  bool
	// id is the id of the last message, or "".
	id     string
	nextID string
	// isTooLong is true once an event has exceeded longestMessage.
	isTooLong bool
}

// feed parses a chunk and passes the data of each message that it completes to emit. It stops
// and reports false if emit does or if an event is too long. emit must not retain the data.
func (p *eventParser) feed(chunk []byte, emit func(data []byte) bool) bool {
	for len(chunk) > 0 {
		// A CR ends a line immediately. An LF right after it belongs to the same line ending.
		if p.afterCR {
			p.afterCR = false
			if chunk[0] == '\n' {
				chunk = chunk[1:]
				continue
			}
		}
		end := bytes.IndexAny(chunk, "\r\n")
		if end < 0 {
			p.line = append(p.line, chunk...)
			p.isTooLong = len(p.data)+len(p.line) > longestMessage
			return !p.isTooLong
		}
		p.line = append(p.line, chunk[:end]...)
		p.afterCR = chunk[end] == '\r'
		chunk = chunk[end+1:]
		if !p.takeLine(emit) {
			return false
		}
	}
	return true
}

func (p *eventParser) takeLine(emit func(data []byte) bool) bool {
	line := p.line
	p.line = p.line[:0]
	if !p.hasBegun {
		p.hasBegun = true
		line = bytes.TrimPrefix(line, byteOrderMark)
	}
	if len(line) == 0 {
		return p.dispatch(emit)
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "event":
		p.kind = string(value)
	case "id":
		if !bytes.ContainsRune(value, 0) {
			p.nextID = string(value)
		}
	case "data":
		if p.hasData {
			p.data = append(p.data, '\n')
		}
		p.data = append(p.data, value...)
		p.hasData = true
	}
	p.isTooLong = len(p.data) > longestMessage
	return !p.isTooLong
}

func (p *eventParser) dispatch(emit func(data []byte) bool) bool {
	isMessage := p.hasData && (p.kind == "" || p.kind == "message")
	data := p.data
	p.id = p.nextID
	p.data, p.hasData, p.kind = p.data[:0], false, ""
	return !isMessage || emit(data)
}
