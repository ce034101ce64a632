// The C# SDK's driver: see test/conformance/README.md.
using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Acme.Conformance;
using Acme.Conformance.Messages;

using var lines = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
using var answers = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { NewLine = "\n" };
while (await lines.ReadLineAsync() is { } line)
{
    var request = JsonNode.Parse(line)!.AsObject();
    await answers.WriteLineAsync((await Driver.RespondAsync(request)).ToJsonString());
    await answers.FlushAsync();
}

internal static class Driver
{
    private static readonly Dictionary<string, IMember> Members = new()
    {
        ["echo"] = new Node<Everything, Everything>(
            Everything.FromJson, value => value.ToJson(), client => client.EchoAsync, client => client.WithRawResponse.EchoAsync),
        ["echo-kinds"] = new Node<Kinds, Kinds>(
            Kinds.FromJson, value => value.ToJson(), client => client.EchoKindsAsync, client => client.WithRawResponse.EchoKindsAsync),
        ["echo-free"] = new Node<JsonObject, JsonObject>(
            ProtoJson.Struct.Parse, ProtoJson.Struct.Format, client => client.EchoFreeAsync, client => client.WithRawResponse.EchoFreeAsync),
        ["class"] = new Node<Everything, Everything>(
            Everything.FromJson, value => value.ToJson(), client => client.ClassAsync, client => client.WithRawResponse.ClassAsync),
        ["größe"] = new Node<Everything, Everything>(
            Everything.FromJson, value => value.ToJson(), client => client.GrosseAsync, client => client.WithRawResponse.GrosseAsync),
        ["echo-twice"] = new Flow<Everything, Everything>(
            Everything.FromJson,
            value => value.ToJson(),
            client => client.EchoTwiceAsync,
            client => client.WithRawResponse.EchoTwiceAsync,
            client => client.StartEchoTwiceAsync,
            client => client.WithRawResponse.StartEchoTwiceAsync,
            client => client.EchoTwiceExecution,
            client => client.WarmEchoTwiceAsync,
            client => client.WithRawResponse.WarmEchoTwiceAsync),
        ["return"] = new Flow<Kinds, Kinds>(
            Kinds.FromJson,
            value => value.ToJson(),
            client => client.ReturnAsync,
            client => client.WithRawResponse.ReturnAsync,
            client => client.StartReturnAsync,
            client => client.WithRawResponse.StartReturnAsync,
            client => client.ReturnExecution,
            client => client.WarmReturnAsync,
            client => client.WithRawResponse.WarmReturnAsync),
        ["any-flow"] = new Flow<Everything, JsonElement>(
            Everything.FromJson, value => value.GetRawText(), null!, null!, null!, null!, client => client.Execution, null!, null!),
        ["parse-logs"] = new Pipeline<LogChunk, LogEntry>(
            LogChunk.FromJson, value => value.ToJson(), client => client.ParseLogsAsync, client => client.UploadParseLogsAsync)
        {
            Create = client => client.CreateParseLogsStreamAsync,
            Find = client => client.ParseLogsStream,
            Open = client => client.OpenParseLogsAsync,
        },
        ["continue-text"] = new Pipeline<Prompt, Token>(
            Prompt.FromJson, value => value.ToJson(), client => client.ContinueTextAsync, client => client.UploadContinueTextAsync)
        {
            Open = client => client.OpenContinueTextAsync,
        },
        ["write-text"] = new Pipeline<Prompt, Token>(Prompt.FromJson, value => value.ToJson(), client => client.WriteTextAsync, null),
    };

    internal static async Task<JsonObject> RespondAsync(JsonObject request)
    {
        var results = new JsonArray();
        var log = new JsonArray();
        try
        {
            using var client = new ConformanceClient(ClientOptionsOf(request["client"]!.AsObject(), each => log.Add((JsonNode)each.ToString())));
            log.Add((JsonNode)$"{client} {client.WithRawResponse}");
            var state = new State(client);
            foreach (var step in request["steps"]!.AsArray())
            {
                using var source = new CancellationTokenSource();
                if (step!["cancelAfterMs"] is { } time)
                {
                    if (time.GetValue<int>() == 0)
                    {
                        await source.CancelAsync();
                    }

                    source.CancelAfter(time.GetValue<int>());
                }

                var member = Members[step["alias"]!.GetValue<string>()];
                try
                {
                    results.Add(await member.PerformAsync(state, step.AsObject(), CallOptionsOf(step["options"]!.AsObject()), source.Token));
                }
                catch (SvcException failure) when (step["goesOn"] is not null)
                {
                    results.Add(new JsonObject { ["error"] = Describe(failure) });
                    if (failure is FlowPausedException paused)
                    {
                        state.PauseId = paused.PauseId;
                        member.Find(state, paused.ExecutionId!);
                    }
                }
            }
        }
        catch (Exception problem) when (FailureOf(problem) is { } failure)
        {
            results.Add(new JsonObject { ["error"] = failure });
        }

        return new JsonObject { ["id"] = request["id"]!.DeepClone(), ["results"] = results, ["log"] = log };
    }

    internal static JsonObject? FailureOf(Exception problem) => problem switch
    {
        SvcException failure => Describe(failure),
        OperationCanceledException => new JsonObject { ["class"] = "cancelled", ["message"] = problem.Message, ["printed"] = problem.ToString() },
        // A malformed id is refused where the handle is made, as arguments are in .NET.
        ArgumentException => new JsonObject { ["class"] = "value", ["message"] = problem.Message, ["printed"] = problem.ToString() },
        _ => null,
    };

    internal static JsonObject AnswerOf(ApiResponse response)
    {
        var headers = new JsonObject();
        foreach (var (name, value) in response.Headers)
        {
            headers[name.ToLowerInvariant()] = value;
        }

        return new JsonObject { ["status"] = response.Status, ["headers"] = headers, ["body"] = response.Body };
    }

    private static ClientOptions ClientOptionsOf(JsonObject given, Action<LogEvent> logger)
    {
        var defaults = new ClientOptions();
        return new ClientOptions
        {
            ApiKey = given["apiKey"]?.GetValue<string>(),
            BaseUrl = given["baseUrl"]?.GetValue<string>(),
            Timeout = SpanOf(given["timeoutMs"]) ?? defaults.Timeout,
            AttemptTimeout = SpanOf(given["attemptTimeoutMs"]) ?? defaults.AttemptTimeout,
            MaxRetries = given["maxRetries"]?.GetValue<int>() ?? defaults.MaxRetries,
            RetryDelay = SpanOf(given["retryDelayMs"]) ?? defaults.RetryDelay,
            MaxRetryDelay = SpanOf(given["maxRetryDelayMs"]) ?? defaults.MaxRetryDelay,
            RetryBudget = given["retryBudget"]?.GetValue<int>() ?? defaults.RetryBudget,
            Headers = HeadersOf(given["headers"]),
            Logger = logger,
        };
    }

    private static CallOptions CallOptionsOf(JsonObject given) => new()
    {
        Timeout = SpanOf(given["timeoutMs"]),
        MaxRetries = given["maxRetries"]?.GetValue<int>(),
        IdempotencyKey = given["idempotencyKey"]?.GetValue<string>(),
        Headers = HeadersOf(given["headers"]),
    };

    private static TimeSpan? SpanOf(JsonNode? milliseconds) =>
        milliseconds is null ? null : TimeSpan.FromMilliseconds(milliseconds.GetValue<double>());

    private static Dictionary<string, string>? HeadersOf(JsonNode? headers) =>
        headers?.AsObject().ToDictionary(each => each.Key, each => each.Value!.GetValue<string>());

    private static JsonObject Describe(SvcException failure) => new()
    {
        ["class"] = failure switch
        {
            ConfigurationException => "configuration",
            ValueException => "value",
            WaitTimeoutException => "wait-timed-out",
            CallTimeoutException => "timed-out",
            StreamInterruptedException => "stream-interrupted",
            InterruptedResponseException => "interrupted-response",
            ConnectionException => "connection",
            InvalidResponseException => "invalid-response",
            IdempotencyMismatchException => "idempotency-mismatch",
            FlowFailedException => "flow-failed",
            FlowPausedException => "flow-paused",
            BadRequestException => "bad-request",
            UnauthorizedException => "unauthorized",
            TenantSuspendedException => "tenant-suspended",
            AppKeyGraphDeniedException => "app-key-graph-denied",
            ForbiddenException => "forbidden",
            NotFoundException => "not-found",
            PayloadTooLargeException => "payload-too-large",
            NodeFailedException => "node-failed",
            QuotaExceededException => "quota-exceeded",
            RateLimitedException => "rate-limited",
            UpstreamUnavailableException => "upstream-unavailable",
            ServerException => "server",
            StatusException => "status",
            _ => failure.GetType().Name,
        },
        ["message"] = failure.Message,
        ["printed"] = failure.ToString(),
        ["status"] = failure.Status,
        ["body"] = BodyOf(failure.Body),
        ["executionId"] = failure.ExecutionId,
        ["requestId"] = failure.RequestId,
        ["idempotencyKey"] = failure.IdempotencyKey,
        ["retryAfterMs"] = failure.RetryAfter?.TotalMilliseconds,
        ["code"] = failure.ErrorCode,
        ["pauseId"] = (failure as FlowPausedException)?.PauseId,
    };

    private static JsonNode? BodyOf(string? body)
    {
        try
        {
            var parsed = body is null ? null : JsonNode.Parse(body);
            // Half of a surrogate pair is found when the text is printed.
            _ = parsed?.ToJsonString();
            return parsed;
        }
        catch (Exception problem) when (problem is JsonException or InvalidOperationException)
        {
            return body;
        }
    }
}

internal sealed record State(ConformanceClient Client)
{
    /// <summary>The run that the last start gave.</summary>
    public object? Run { get; set; }

    /// <summary>The split stream of the last create.</summary>
    public object? Stream { get; set; }

    /// <summary>The pause of the last step that failed and went on.</summary>
    public string? PauseId { get; set; }
}

internal interface IMember
{
    Task<JsonObject> PerformAsync(State state, JsonObject step, CallOptions options, CancellationToken token);

    /// <summary>Keeps a run by its id.</summary>
    void Find(State state, string executionId);
}

internal delegate Task<T> Call<TInput, T>(TInput input, CallOptions? options, CancellationToken token);

internal delegate Task<T> Create<T>(CallOptions? options, CancellationToken token);

internal delegate Task Warm(CallOptions? options, CancellationToken token);

internal delegate Task<ApiResponse> RawWarm(CallOptions? options, CancellationToken token);

internal class Node<TInput, TOutput>(
    Func<string, TInput> read,
    Func<TOutput, string> show,
    Func<ConformanceClient, Call<TInput, TOutput>> call,
    Func<ConformanceClient, Call<TInput, ApiResponse<TOutput>>> raw) : IMember
{
    public virtual async Task<JsonObject> PerformAsync(
        State state, JsonObject step, CallOptions options, CancellationToken token)
    {
        var input = ReadInput(step);
        if (!IsRaw(step))
        {
            return new JsonObject { ["valueText"] = Show(await call(state.Client)(input, options, token)) };
        }

        var response = await raw(state.Client)(input, options, token);
        return new JsonObject { ["valueText"] = Show(response.Value), ["answer"] = Driver.AnswerOf(response) };
    }

    public virtual void Find(State state, string executionId) => throw new NotSupportedException();

    protected static bool IsRaw(JsonObject step) => step["raw"]?.GetValue<bool>() ?? false;

    protected TInput ReadInput(JsonObject step) => read(step["inputText"]!.GetValue<string>());

    protected string Show(TOutput output) => show(output);
}

internal sealed class Flow<TInput, TOutput>(
    Func<string, TInput> read,
    Func<TOutput, string> show,
    Func<ConformanceClient, Call<TInput, TOutput>> call,
    Func<ConformanceClient, Call<TInput, ApiResponse<TOutput>>> raw,
    Func<ConformanceClient, Call<TInput, Execution<TOutput>>> start,
    Func<ConformanceClient, Call<TInput, ApiResponse<Execution<TOutput>>>> rawStart,
    Func<ConformanceClient, Func<string, Execution<TOutput>>> find,
    Func<ConformanceClient, Warm> warm,
    Func<ConformanceClient, RawWarm> rawWarm) : Node<TInput, TOutput>(read, show, call, raw)
    where TInput : IProtoJson<TInput>
{
    public override async Task<JsonObject> PerformAsync(
        State state, JsonObject step, CallOptions options, CancellationToken token)
    {
        var run = step["executionId"] is { } id
            ? find(state.Client)(id.GetValue<string>())
            : state.Run as Execution<TOutput>;
        switch (step["do"]!.GetValue<string>())
        {
            case "start" when IsRaw(step):
                var response = await rawStart(state.Client)(ReadInput(step), options, token);
                return Keep(state, response.Value, Driver.AnswerOf(response));
            case "start":
                return Keep(state, await start(state.Client)(ReadInput(step), options, token), null);
            case "warm" when IsRaw(step):
                return new JsonObject { ["answer"] = Driver.AnswerOf(await rawWarm(state.Client)(options, token)) };
            case "warm":
                await warm(state.Client)(options, token);
                return [];
            case "wait":
                return new JsonObject { ["valueText"] = Show(await run!.WaitAsync(options, token)) };
            case "get":
                return new JsonObject { ["valueText"] = Show(await run!.GetAsync(options, token)) };
            case "cancel":
                return new JsonObject { ["valueText"] = Show(await run!.CancelAsync(options, token)) };
            case "pauses":
                return await ListAsync(run!.ListPausesAsync(options, token));
            case "inbox":
                return await ListAsync(state.Client.ListPausesAsync(PauseFilterOf(step), options, token));
            case "resume":
                var pauseId = step["pauseId"]?.GetValue<string>() ?? state.PauseId!;
                var decision = DecisionOf(step) ?? PauseDecision.Default;
                var resumed = await run!.ResumeAsync(pauseId, decision, step["resumedBy"]?.GetValue<string>(), options, token);
                return new JsonObject { ["valueText"] = Show(resumed) };
            case "fork":
                var checkpointId = step["checkpointId"]?.GetValue<string>();
                var fork = new ForkOptions { CheckpointId = checkpointId, Input = DecisionOf(step) };
                return Keep(state, await run!.ForkAsync(fork, options, token), null);
            case "events":
                return await ListAsync(step, run!.ListEventsAsync(FilterOf(step), options, token));
            case "follow":
                return await ListAsync(step, run!.FollowAsync(options, token));
            default:
                return await base.PerformAsync(state, step, options, token);
        }
    }

    public override void Find(State state, string executionId) => state.Run = find(state.Client)(executionId);

    private static async Task<JsonObject> ListAsync(JsonObject step, IAsyncEnumerable<ExecutionEvent> events)
    {
        var result = new JsonObject();
        var given = new JsonArray();
        try
        {
            await foreach (var happening in events)
            {
                given.Add((JsonNode)Show(happening));
                if (given.Count == step["takes"]?.GetValue<int>())
                {
                    break;
                }
            }
        }
        catch (Exception problem) when (Driver.FailureOf(problem) is { } failure)
        {
            result["error"] = failure;
        }

        result["valueText"] = given.ToJsonString();
        return result;
    }

    private static PauseDecision? DecisionOf(JsonObject step)
    {
        if (step["decisionText"] is { } text)
        {
            return PauseDecision.FromMessage(TInput.Codec.Parse(text.GetValue<string>()));
        }

        if (step["decisionJsonText"] is { } json)
        {
            return PauseDecision.FromJson(json.GetValue<string>());
        }

        return step["decisionBytes"] is { } bytes
            ? PauseDecision.FromBytes(Convert.FromBase64String(bytes.GetValue<string>()))
            : null;
    }

    private static PauseFilter PauseFilterOf(JsonObject step) => new()
    {
        Statuses = [.. step["statuses"]?.AsArray().Select(status => new PauseStatus(status!.GetValue<string>())) ?? []],
        PageSize = step["pageSize"]?.GetValue<int>(),
    };

    private static async Task<JsonObject> ListAsync(IAsyncEnumerable<Pause> pauses)
    {
        var given = new JsonArray();
        await foreach (var pause in pauses)
        {
            given.Add((JsonNode)Show(pause));
        }

        return new JsonObject { ["valueText"] = given.ToJsonString() };
    }

    private static JsonObject Show(Pause pause) => Present(new()
    {
        ["id"] = pause.Id,
        ["executionId"] = pause.ExecutionId,
        ["graphId"] = pause.GraphId,
        ["nodeName"] = pause.NodeName,
        ["status"] = pause.Status.Name,
        ["question"] = NodeOf(pause.Question),
        ["decisionType"] = pause.DecisionType,
        ["checkpointId"] = pause.CheckpointId,
        ["createdAt"] = TextOf(pause.CreatedAt),
        ["expiresAt"] = TextOf(pause.ExpiresAt),
        ["resumeUrl"] = pause.ResumeUrl,
        ["resumedAt"] = TextOf(pause.ResumedAt),
        ["escalatedAt"] = TextOf(pause.EscalatedAt),
        ["resumedBy"] = pause.ResumedBy,
        ["decision"] = NodeOf(pause.Decision),
    });

    private static string Show(ResumedPause resumed) => Present(new()
    {
        ["pauseId"] = resumed.PauseId,
        ["status"] = resumed.Status.Name,
        ["resumedAt"] = TextOf(resumed.ResumedAt),
        ["resumedBy"] = resumed.ResumedBy,
        ["decision"] = NodeOf(resumed.Decision),
        ["alreadyResumed"] = resumed.AlreadyResumed,
    }).ToJsonString();

    private static JsonObject Keep(State state, Execution<TOutput> run, JsonObject? answer)
    {
        state.Run = run;
        return Present(new()
        {
            ["valueText"] = new JsonObject { ["executionId"] = run.Id }.ToJsonString(),
            ["answer"] = answer,
        });
    }

    private static EventFilter FilterOf(JsonObject step) => new()
    {
        Types = [.. step["types"]?.AsArray().Select(type => new ExecutionEventType(type!.GetValue<string>())) ?? []],
        NodeName = step["nodeName"]?.GetValue<string>(),
        PageSize = step["pageSize"]?.GetValue<int>(),
    };

    private static string Show(ExecutionRecord record) => Present(new()
    {
        ["id"] = record.Id,
        ["status"] = record.Status.Name,
        ["graphId"] = record.GraphId,
        ["createdAt"] = TextOf(record.CreatedAt),
        ["updatedAt"] = TextOf(record.UpdatedAt),
        ["completedAt"] = TextOf(record.CompletedAt),
        ["pauseId"] = record.PauseId,
        ["latestCheckpointId"] = record.LatestCheckpointId,
        ["errorMessage"] = record.ErrorMessage,
        ["failedNodeName"] = record.FailedNodeName,
    }).ToJsonString();

    private static JsonObject Show(ExecutionEvent happening) => Present(new()
    {
        ["type"] = happening.Type.Name,
        ["ulid"] = happening.Ulid,
        ["timestampMs"] = happening.Time?.ToUnixTimeMilliseconds(),
        ["nodeName"] = happening.NodeName,
        ["input"] = NodeOf(happening.Input),
        ["output"] = NodeOf(happening.Output),
        ["errorMessage"] = happening.ErrorMessage,
        ["pauseId"] = happening.PauseId,
    });

    private static string? TextOf(DateTimeOffset? time) =>
        time?.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture);

    private static JsonNode? NodeOf(JsonElement? element) =>
        element is { } found ? JsonNode.Parse(found.GetRawText()) : null;

    private static JsonObject Present(JsonObject fields)
    {
        foreach (var (name, _) in fields.Where(field => field.Value is null).ToList())
        {
            fields.Remove(name);
        }

        return fields;
    }
}

internal delegate StreamedOutput<TOutput> StreamCall<TInput, TOutput>(TInput input, CallOptions? options, CancellationToken token);

internal delegate StreamedOutput<TOutput> Upload<TInput, TOutput>(
    IAsyncEnumerable<TInput> inputs, CallOptions? options, CancellationToken token);

internal sealed class Pipeline<TInput, TOutput>(
    Func<string, TInput> read,
    Func<TOutput, string> show,
    Func<ConformanceClient, StreamCall<TInput, TOutput>> call,
    Func<ConformanceClient, Upload<TInput, TOutput>>? upload) : IMember
{
    public Func<ConformanceClient, Create<SplitStreamHandle<TInput, TOutput>>>? Create { get; init; }

    public Func<ConformanceClient, Func<string, SplitStreamHandle<TInput, TOutput>>>? Find { get; init; }

    public Func<ConformanceClient, Create<LiveSession<TInput, TOutput>>>? Open { get; init; }

    public async Task<JsonObject> PerformAsync(State state, JsonObject step, CallOptions options, CancellationToken token)
    {
        var stream = step["streamId"] is { } id
            ? Find!(state.Client)(id.GetValue<string>())
            : state.Stream as SplitStreamHandle<TInput, TOutput>;
        switch (step["do"]!.GetValue<string>())
        {
            case "create":
                stream = await Create!(state.Client)(options, token);
                state.Stream = stream;
                return new JsonObject { ["valueText"] = new JsonObject { ["streamId"] = stream.Id }.ToJsonString() };
            case "upload":
                return Show(await stream!.UploadAsync(InputsOf(step), options, token));
            case "output":
                await using (var output = stream!.ReadOutputAsync(step["after"]?.GetValue<string>(), options, token))
                {
                    return await ReadAsync(step, output, token);
                }

            case "live":
                await using (var session = await Open!(state.Client)(options, token))
                {
                    return await ConverseAsync(step, session, token);
                }

            default:
                await using (var outputs = step["inputTexts"] is null
                    ? call(state.Client)(read(step["inputText"]!.GetValue<string>()), options, token)
                    : upload!(state.Client)(InputsOf(step), options, token))
                {
                    return await ReadAsync(step, outputs, token);
                }
        }
    }

    void IMember.Find(State state, string executionId) => throw new NotSupportedException();

    private static JsonObject Show(SplitUpload upload) => new()
    {
        ["valueText"] = new JsonObject
        {
            ["executionId"] = upload.ExecutionId,
            ["inputFrames"] = upload.InputFrames,
        }.ToJsonString(),
    };

    private async Task<JsonObject> ReadAsync(JsonObject step, StreamedOutput<TOutput> outputs, CancellationToken token)
    {
        var given = new List<string>();
        var result = new JsonObject();
        try
        {
            if (step["raw"]?.GetValue<bool>() ?? false)
            {
                result["answer"] = Driver.AnswerOf(await outputs.GetResponseAsync(token));
            }

            await TakeAsync(outputs, step["takes"]?.GetValue<int>() ?? int.MaxValue, given);
        }
        catch (Exception problem) when (Driver.FailureOf(problem) is { } failure)
        {
            result["error"] = failure;
        }

        result["valueText"] = $"[{string.Join(',', given)}]";
        result["executionId"] = outputs.ExecutionId;
        return result;
    }

    private async Task<JsonObject> ConverseAsync(JsonObject step, LiveSession<TInput, TOutput> session, CancellationToken token)
    {
        var given = new List<string>();
        var result = new JsonObject();
        try
        {
            var isInTurn = step["inTurn"]?.GetValue<bool>() ?? false;
            var isFirst = true;
            await foreach (var input in InputsOf(step))
            {
                if (isInTurn && !isFirst)
                {
                    await TakeAsync(session.ReceiveAsync(token), given.Count + 1, given);
                }

                isFirst = false;
                await session.SendAsync(input, token);
            }

            await TakeAsync(session.ReceiveAsync(token), step["takes"]?.GetValue<int>() ?? int.MaxValue, given);
        }
        catch (Exception problem) when (Driver.FailureOf(problem) is { } failure)
        {
            result["error"] = failure;
        }

        result["valueText"] = $"[{string.Join(',', given)}]";
        result["executionId"] = session.ExecutionId;
        result["limits"] = new JsonObject
        {
            ["input_frame_bytes"] = session.Limits.MaxInputMessageBytes,
            ["session_seconds"] = session.Limits.MaxDuration?.TotalSeconds,
        };
        return result;
    }

    private async Task TakeAsync(IAsyncEnumerable<TOutput> outputs, int count, List<string> given)
    {
        if (count == 0)
        {
            return;
        }

        await foreach (var output in outputs)
        {
            given.Add(show(output));
            if (given.Count == count)
            {
                break;
            }
        }
    }

    private async IAsyncEnumerable<TInput> InputsOf(JsonObject step)
    {
        var texts = step["inputTexts"]!.AsArray();
        var pause = step["inputPauseMs"]?.GetValue<int>() ?? 0;
        for (var index = 0; index < texts.Count; index++)
        {
            await Task.Delay(index == 0 ? 0 : pause);
            yield return read(texts[index]!.GetValue<string>());
        }
    }
}
