// Command driver is the Go SDK's driver: see test/conformance/README.md.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"os"
	"strings"
	"time"

	"go.svc.internal/acme/conformance"
	"go.svc.internal/acme/conformance/internal/protojson"
	"go.svc.internal/acme/conformance/svc"
)

type options struct {
	APIKey           *string           `json:"apiKey"`
	BaseURL          *string           `json:"baseUrl"`
	TimeoutMS        *float64          `json:"timeoutMs"`
	AttemptTimeoutMS *float64          `json:"attemptTimeoutMs"`
	MaxRetries       *int              `json:"maxRetries"`
	RetryDelayMS     *float64          `json:"retryDelayMs"`
	MaxRetryDelayMS  *float64          `json:"maxRetryDelayMs"`
	RetryBudget      *int              `json:"retryBudget"`
	Headers          map[string]string `json:"headers"`
	IdempotencyKey   *string           `json:"idempotencyKey"`
}

type step struct {
	Do               string            `json:"do"`
	Alias            string            `json:"alias"`
	InputText        string            `json:"inputText"`
	ExecutionID      string            `json:"executionId"`
	Types            []svc.EventType   `json:"types"`
	NodeName         string            `json:"nodeName"`
	PageSize         int               `json:"pageSize"`
	Statuses         []svc.PauseStatus `json:"statuses"`
	PauseID          *string           `json:"pauseId"`
	CheckpointID     string            `json:"checkpointId"`
	DecisionText     *string           `json:"decisionText"`
	DecisionJSONText *string           `json:"decisionJsonText"`
	DecisionBytes    *string           `json:"decisionBytes"`
	ResumedBy        string            `json:"resumedBy"`
	GoesOn           bool              `json:"goesOn"`
	Raw              bool              `json:"raw"`
	CancelAfterMS    *float64          `json:"cancelAfterMs"`
	InputTexts       []string          `json:"inputTexts"`
	InputPauseMS     float64           `json:"inputPauseMs"`
	Takes            *int              `json:"takes"`
	StreamID         string            `json:"streamId"`
	After            string            `json:"after"`
	InTurn           bool              `json:"inTurn"`
	Options          options           `json:"options"`
	// session is what a live session said.
	session *session
}

type session struct {
	executionID string
	limits      svc.SessionLimits
}

type result struct {
	ValueText   *string        `json:"valueText,omitempty"`
	ExecutionID string         `json:"executionId,omitempty"`
	Answer      map[string]any `json:"answer,omitempty"`
	Limits      map[string]any `json:"limits,omitempty"`
	Error       map[string]any `json:"error,omitempty"`
}

// member does what a step asks of an alias; it gives the text of the value.
type member func(ctx context.Context, step step, options []svc.Option) (string, error)

var classes = map[svc.Kind]string{
	svc.ErrAppKeyGraphDenied:   "app-key-graph-denied",
	svc.ErrBadRequest:          "bad-request",
	svc.ErrCanceled:            "cancelled",
	svc.ErrConfiguration:       "configuration",
	svc.ErrConnection:          "connection",
	svc.ErrFlowFailed:          "flow-failed",
	svc.ErrFlowPaused:          "flow-paused",
	svc.ErrForbidden:           "forbidden",
	svc.ErrIdempotencyMismatch: "idempotency-mismatch",
	svc.ErrInterruptedResponse: "interrupted-response",
	svc.ErrInvalidResponse:     "invalid-response",
	svc.ErrMessage:             "value",
	svc.ErrNodeFailed:          "node-failed",
	svc.ErrNotFound:            "not-found",
	svc.ErrPayloadTooLarge:     "payload-too-large",
	svc.ErrQuotaExceeded:       "quota-exceeded",
	svc.ErrRateLimited:         "rate-limited",
	svc.ErrServer:              "server",
	svc.ErrStatus:              "status",
	svc.ErrStreamInterrupted:   "stream-interrupted",
	svc.ErrTenantSuspended:     "tenant-suspended",
	svc.ErrTimedOut:            "timed-out",
	svc.ErrUnauthorized:        "unauthorized",
	svc.ErrUpstreamUnavailable: "upstream-unavailable",
	svc.ErrWaitTimedOut:        "wait-timed-out",
}

func main() {
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var request struct {
			ID     string  `json:"id"`
			Client options `json:"client"`
			Steps  []step  `json:"steps"`
		}
		if err := json.Unmarshal(line, &request); err != nil {
			panic(err)
		}
		results, log := respond(request.Client, request.Steps)
		response, err := json.Marshal(map[string]any{"id": request.ID, "results": results, "log": log})
		if err != nil {
			panic(err)
		}
		fmt.Println(string(response))
	}
}

func respond(given options, steps []step) ([]result, []string) {
	var log bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	results := []result{}
	client, err := conformance.New(append(given.list(), svc.WithLogger(logger))...)
	if err != nil {
		results = append(results, result{Error: describe(err)})
	} else {
		fmt.Fprintf(&log, "%v %+v %#v\n", client, *client, client)
		members := membersOf(client)
		paused := ""
		for _, step := range steps {
			if step.PauseID == nil {
				step.PauseID = &paused
			}
			done := perform(members[step.Alias], step)
			results = append(results, done)
			if done.Error != nil && !step.GoesOn {
				break
			}
			if done.Error != nil {
				paused, _ = done.Error["pauseId"].(string)
			}
		}
	}
	return results, strings.Split(strings.TrimSpace(log.String()), "\n")
}

func perform(do member, step step) result {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if step.CancelAfterMS != nil && *step.CancelAfterMS == 0 {
		cancel()
	} else if step.CancelAfterMS != nil {
		time.AfterFunc(milliseconds(*step.CancelAfterMS), cancel)
	}
	var response svc.Response
	given := step.Options.list()
	if step.Raw || step.Do == "stream" {
		given = append(given, svc.WithResponse(&response))
	}
	step.session = &session{}
	text, err := do(ctx, step, given)
	done := result{ExecutionID: response.ExecutionID}
	if step.Do == "live" {
		done.ExecutionID, done.Limits = step.session.executionID, limitsOf(step.session.limits)
	}
	if err != nil {
		done.Error = describe(err)
	}
	if text != "" {
		done.ValueText = &text
	}
	if err == nil && step.Raw {
		headers := map[string]string{}
		for name := range response.Header {
			headers[strings.ToLower(name)] = response.Header.Get(name)
		}
		done.Answer = map[string]any{"status": response.Status, "headers": headers, "body": string(response.Body)}
	}
	return done
}

func membersOf(client *conformance.Client) map[string]member {
	everything := messageFormat[conformance.Everything]()
	kinds := messageFormat[conformance.Kinds]()
	free := format[map[string]any]{protojson.StructCodec.Unmarshal, protojson.StructCodec.Marshal}
	return map[string]member{
		"echo":       node(client.Echo, everything),
		"echo-kinds": node(client.EchoKinds, kinds),
		"echo-free":  node(client.EchoFree, free),
		"class":      node(client.Class, everything),
		"größe":      node(client.Grosse, everything),
		"echo-twice": flow(client, client.EchoTwice, client.StartEchoTwice, client.EchoTwiceExecution, client.WarmEchoTwice, everything),
		"parse-logs": streamedNode(client.CreateParseLogsStream, client.ParseLogsStream, client.OpenParseLogs,
			messageFormat[conformance.LogChunk](), messageFormat[conformance.LogEntry](),
			stream(client.ParseLogs, client.UploadParseLogs, messageFormat[conformance.LogChunk](), messageFormat[conformance.LogEntry]())),
		"continue-text": streamedNode(client.CreateContinueTextStream, client.ContinueTextStream, client.OpenContinueText,
			messageFormat[conformance.Prompt](), messageFormat[conformance.Token](),
			stream(client.ContinueText, client.UploadContinueText, messageFormat[conformance.Prompt](), messageFormat[conformance.Token]())),
		"write-text": stream(client.WriteText, nil, messageFormat[conformance.Prompt](), messageFormat[conformance.Token]()),
		"return":     flow(client, client.Return, client.StartReturn, client.ReturnExecution, client.WarmReturn, kinds),
		"any-flow":   flow(client, nil, nil, client.Execution, nil, jsonFormat),
	}
}

// format reads and writes ProtoJSON.
type format[T any] struct {
	read  func([]byte) (T, error)
	write func(T) ([]byte, error)
}

var jsonFormat = format[json.RawMessage]{
	read:  func(data []byte) (json.RawMessage, error) { return data, nil },
	write: func(value json.RawMessage) ([]byte, error) { return value, nil },
}

func messageFormat[M any, P interface {
	*M
	json.Marshaler
	json.Unmarshaler
}]() format[*M] {
	return format[*M]{
		read: func(data []byte) (*M, error) {
			message := new(M)
			return message, P(message).UnmarshalJSON(data)
		},
		write: func(message *M) ([]byte, error) { return P(message).MarshalJSON() },
	}
}

type method[In, Out any] = func(context.Context, In, ...svc.Option) (Out, error)

func node[T any](call method[T, T], format format[T]) member {
	return func(ctx context.Context, step step, options []svc.Option) (string, error) {
		input, err := format.read([]byte(step.InputText))
		if err != nil {
			return "", err
		}
		output, err := call(ctx, input, options...)
		return printed(format, output, err)
	}
}

func flow[T any](
	client *conformance.Client,
	run method[T, T],
	start method[T, *svc.Execution[T]],
	find func(id string) *svc.Execution[T],
	warm func(context.Context, ...svc.Option) error,
	format format[T],
) member {
	var execution *svc.Execution[T]
	return func(ctx context.Context, step step, options []svc.Option) (string, error) {
		if step.ExecutionID != "" {
			execution = find(step.ExecutionID)
		}
		switch step.Do {
		case "call":
			input, err := format.read([]byte(step.InputText))
			if err != nil {
				return "", err
			}
			output, err := run(ctx, input, options...)
			var failure *svc.APIError
			if errors.As(err, &failure) && failure.ExecutionID != "" {
				execution = find(failure.ExecutionID)
			}
			return printed(format, output, err)
		case "start":
			input, err := format.read([]byte(step.InputText))
			if err != nil {
				return "", err
			}
			if execution, err = start(ctx, input, options...); err != nil {
				return "", err
			}
			return object("executionId", execution.ID()), nil
		case "get":
			record, err := execution.Get(ctx, options...)
			return printedRecord(record, err)
		case "cancel":
			record, err := execution.Cancel(ctx, options...)
			return printedRecord(record, err)
		case "pauses":
			pauses, err := execution.Pauses(ctx, options...)
			if err != nil {
				return "", err
			}
			return printedPauses(pauses)
		case "inbox":
			pauses := []*svc.Pause{}
			for pause, err := range client.ListPauses(ctx, svc.PauseFilter{Statuses: step.Statuses, PageSize: step.PageSize}, options...) {
				if err != nil {
					return "", err
				}
				pauses = append(pauses, pause)
			}
			return printedPauses(pauses)
		case "resume":
			value, err := decisionOf(step, format)
			if err != nil {
				return "", err
			}
			resumed, err := execution.Resume(ctx, *step.PauseID, svc.Decision{Value: value, By: step.ResumedBy}, options...)
			if err != nil {
				return "", err
			}
			return object("pauseId", resumed.PauseID, "status", string(resumed.Status), "resumedAt", timeOf(resumed.ResumedAt),
				"resumedBy", resumed.ResumedBy, "decision", resumed.Decision, "alreadyResumed", resumed.AlreadyResumed), nil
		case "fork":
			input, err := decisionOf(step, format)
			if err != nil {
				return "", err
			}
			fork := svc.Fork{CheckpointID: step.CheckpointID, Input: input}
			if execution, err = execution.Fork(ctx, fork, options...); err != nil {
				return "", err
			}
			return object("executionId", execution.ID()), nil
		case "wait":
			output, err := execution.Wait(ctx, options...)
			return printed(format, output, err)
		case "events":
			events := []json.RawMessage{}
			filter := svc.EventFilter{Types: step.Types, NodeName: step.NodeName, PageSize: step.PageSize}
			for event, err := range execution.Events(ctx, filter, options...) {
				if err != nil {
					return "", err
				}
				events = append(events, printedEvent(event))
			}
			text, err := json.Marshal(events)
			return string(text), err
		case "follow":
			return followed(execution.Follow(ctx, options...), step)
		case "warm":
			return "", warm(ctx, options...)
		}
		panic("this driver cannot do " + step.Do)
	}
}

// followed gives the events also of a run that cannot be followed to its end.
func followed(events iter.Seq2[*svc.ExecutionEvent, error], step step) (string, error) {
	given := []json.RawMessage{}
	var failure error
	for event, err := range events {
		if err != nil {
			failure = err
			break
		}
		given = append(given, printedEvent(event))
		if step.Takes != nil && len(given) == *step.Takes {
			break
		}
	}
	text, err := json.Marshal(given)
	if err != nil {
		panic(err)
	}
	return string(text), failure
}

func printedEvent(event *svc.ExecutionEvent) json.RawMessage {
	return json.RawMessage(object("type", event.Type, "ulid", event.ULID, "timestampMs", event.Time.UnixMilli(),
		"nodeName", event.NodeName, "input", event.Input, "output", event.Output,
		"errorMessage", event.ErrorMessage, "pauseId", event.PauseID))
}

// stream gives the messages also of a stream that fails.
func stream[In, Out any](
	call func(context.Context, In, ...svc.Option) iter.Seq2[Out, error],
	upload func(context.Context, iter.Seq2[In, error], ...svc.Option) iter.Seq2[Out, error],
	input format[In],
	output format[Out],
) member {
	return func(ctx context.Context, step step, options []svc.Option) (string, error) {
		var outputs iter.Seq2[Out, error]
		if step.InputTexts == nil {
			message, err := input.read([]byte(step.InputText))
			if err != nil {
				return "", err
			}
			outputs = call(ctx, message, options...)
		} else {
			outputs = upload(ctx, inputsOf(step, input), options...)
		}
		given, err := taken(outputs, output, step.Takes)
		return listOf(given), err
	}
}

// taken gives the messages until an error, the end or so many.
func taken[Out any](outputs iter.Seq2[Out, error], output format[Out], takes *int) ([]string, error) {
	given := []string{}
	if takes != nil && *takes == 0 {
		return given, nil
	}
	for message, err := range outputs {
		if err != nil {
			return given, err
		}
		text, err := output.write(message)
		if err != nil {
			panic(err)
		}
		given = append(given, string(text))
		if takes != nil && len(given) == *takes {
			break
		}
	}
	return given, nil
}

func listOf(texts []string) string { return "[" + strings.Join(texts, ",") + "]" }

// streamedNode does what pipeline nodes can do beyond streaming in one request.
func streamedNode[In, Out any](
	create func(context.Context, ...svc.Option) (*svc.SplitStream[In, Out], error),
	find func(string) *svc.SplitStream[In, Out],
	open func(context.Context, ...svc.Option) (*svc.Session[In, Out], error),
	input format[In],
	output format[Out],
	others member,
) member {
	var created *svc.SplitStream[In, Out]
	return func(ctx context.Context, step step, options []svc.Option) (string, error) {
		split := created
		if step.StreamID != "" {
			split = find(step.StreamID)
		}
		switch step.Do {
		case "create":
			var err error
			if created, err = create(ctx, options...); err != nil {
				return "", err
			}
			return object("streamId", created.ID()), nil
		case "upload":
			upload, err := split.Upload(ctx, inputsOf(step, input), options...)
			if err != nil {
				return "", err
			}
			return object("executionId", upload.ExecutionID, "inputFrames", upload.InputFrames), nil
		case "output":
			outputs := split.Output(ctx, options...)
			if step.After != "" {
				outputs = split.OutputAfter(ctx, step.After, options...)
			}
			given, err := taken(outputs, output, step.Takes)
			return listOf(given), err
		case "live":
			session, err := open(ctx, options...)
			if err != nil {
				return "", err
			}
			defer session.Close()
			given, err := conversed(ctx, session, step, input, output)
			step.session.executionID, step.session.limits = session.ExecutionID(), session.Limits()
			return listOf(given), err
		}
		return others(ctx, step, options)
	}
}

func conversed[In, Out any](ctx context.Context, session *svc.Session[In, Out], step step, input format[In], output format[Out]) ([]string, error) {
	given := []string{}
	receive := func(count int) error {
		more, err := taken(session.Messages(ctx), output, &count)
		given = append(given, more...)
		return err
	}
	isFirst := true
	for message, err := range inputsOf(step, input) {
		if err == nil && !isFirst && step.InTurn {
			err = receive(1)
		}
		if err == nil {
			err = session.Send(ctx, message)
		}
		if err != nil {
			return given, err
		}
		isFirst = false
	}
	rest := 1 << 30
	if step.Takes != nil {
		rest = *step.Takes - len(given)
	}
	return given, receive(rest)
}

// limitsOf prints limits by the names that the service gives them.
func limitsOf(limits svc.SessionLimits) map[string]any {
	named := map[string]int64{
		"input_frame_bytes": limits.InputMessageBytes,
		"input_bytes":       limits.InputBytes,
		"input_frames":      limits.InputMessages,
		"output_bytes":      limits.OutputBytes,
		"session_seconds":   int64(limits.Duration / time.Second),
		"stall_seconds":     int64(limits.Stall / time.Second),
	}
	said := map[string]any{}
	for name, limit := range named {
		if limit != 0 {
			said[name] = limit
		}
	}
	return said
}

func inputsOf[In any](step step, input format[In]) iter.Seq2[In, error] {
	return func(yield func(In, error) bool) {
		for index, text := range step.InputTexts {
			if index > 0 {
				time.Sleep(milliseconds(step.InputPauseMS))
			}
			message, err := input.read([]byte(text))
			if !yield(message, err) {
				return
			}
		}
	}
}

func decisionOf[T any](step step, format format[T]) (any, error) {
	switch {
	case step.DecisionText != nil:
		return format.read([]byte(*step.DecisionText))
	case step.DecisionJSONText != nil:
		return json.RawMessage(*step.DecisionJSONText), nil
	case step.DecisionBytes != nil:
		return base64.StdEncoding.DecodeString(*step.DecisionBytes)
	}
	return nil, nil
}

func printedRecord(record *svc.ExecutionRecord, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return object("id", record.ID, "status", string(record.Status), "graphId", record.GraphID, "createdAt", timeOf(record.CreatedAt),
		"updatedAt", timeOf(record.UpdatedAt), "completedAt", timeOf(record.CompletedAt), "pauseId", record.PauseID,
		"latestCheckpointId", record.LatestCheckpointID, "errorMessage", record.ErrorMessage, "failedNodeName", record.FailedNodeName), nil
}

func printedPauses(pauses []*svc.Pause) (string, error) {
	printed := []json.RawMessage{}
	for _, pause := range pauses {
		printed = append(printed, json.RawMessage(object("id", pause.ID, "executionId", pause.ExecutionID, "graphId", pause.GraphID, "nodeName", pause.NodeName,
			"status", string(pause.Status), "question", pause.Question, "decisionType", pause.DecisionType,
			"checkpointId", pause.CheckpointID, "createdAt", timeOf(pause.CreatedAt), "expiresAt", timeOf(pause.ExpiresAt),
			"resumeUrl", pause.ResumeURL, "resumedAt", timeOf(pause.ResumedAt), "escalatedAt", timeOf(pause.EscalatedAt),
			"resumedBy", pause.ResumedBy, "decision", pause.Decision)))
	}
	text, err := json.Marshal(printed)
	return string(text), err
}

func printed[T any](format format[T], value T, err error) (string, error) {
	if err != nil {
		return "", err
	}
	text, err := format.write(value)
	return string(text), err
}

// object prints pairs of names and values without those that are absent.
func object(pairs ...any) string {
	fields := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		if raw, isRaw := pairs[i+1].(json.RawMessage); pairs[i+1] != "" && (!isRaw || raw != nil) {
			fields[pairs[i].(string)] = pairs[i+1]
		}
	}
	text, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// timeOf prints a time as the service does, or "" if there is none.
func timeOf(value time.Time) string {
	if value.IsZero() {
		return ""
	}
	return value.Format("2006-01-02T15:04:05.000Z07:00")
}

func describe(err error) map[string]any {
	var failure *svc.APIError
	if !errors.As(err, &failure) {
		panic(err)
	}
	described := map[string]any{
		"class":          classes[failure.Kind],
		"message":        err.Error(),
		"printed":        fmt.Sprintf("%+v %#v %v", *failure, failure.Err, errors.Unwrap(failure)),
		"executionId":    failure.ExecutionID,
		"requestId":      failure.RequestID,
		"idempotencyKey": failure.IdempotencyKey,
		"pauseId":        failure.PauseID,
		"code":           failure.Code,
	}
	if failure.Status != 0 {
		described["status"] = failure.Status
	}
	if failure.RetryAfter != nil {
		described["retryAfterMs"] = float64(*failure.RetryAfter) / float64(time.Millisecond)
	}
	if json.Valid(failure.Body) {
		described["body"] = json.RawMessage(failure.Body)
	} else if failure.Body != nil {
		described["body"] = string(failure.Body)
	}
	for name, value := range described {
		if value == "" {
			delete(described, name)
		}
	}
	return described
}

func (o options) list() []svc.Option {
	var list []svc.Option
	if o.APIKey != nil {
		list = append(list, svc.WithAPIKey(*o.APIKey))
	}
	if o.BaseURL != nil {
		list = append(list, svc.WithBaseURL(*o.BaseURL))
	}
	if o.TimeoutMS != nil {
		list = append(list, svc.WithTimeout(milliseconds(*o.TimeoutMS)))
	}
	if o.AttemptTimeoutMS != nil {
		list = append(list, svc.WithAttemptTimeout(milliseconds(*o.AttemptTimeoutMS)))
	}
	if o.MaxRetries != nil {
		list = append(list, svc.WithMaxRetries(*o.MaxRetries))
	}
	if o.RetryBudget != nil {
		list = append(list, svc.WithRetryBudget(*o.RetryBudget))
	}
	if o.RetryDelayMS != nil && o.MaxRetryDelayMS != nil {
		list = append(list, svc.WithRetryDelay(milliseconds(*o.RetryDelayMS), milliseconds(*o.MaxRetryDelayMS)))
	}
	if o.IdempotencyKey != nil {
		list = append(list, svc.WithIdempotencyKey(*o.IdempotencyKey))
	}
	for name, value := range o.Headers {
		list = append(list, svc.WithHeader(name, value))
	}
	return list
}

func milliseconds(count float64) time.Duration {
	return time.Duration(count * float64(time.Millisecond))
}
