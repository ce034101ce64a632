namespace Svc.Runtime.Tests;

/// <summary>The calls of a member's split streams.</summary>
/// <param name="CreateAsync">Creates a stream and returns its id.</param>
/// <param name="UploadAsync">Uploads messages to the stream with an id.</param>
/// <param name="ReadAsync">Reads the single message of the stream with an id.</param>
internal sealed record SplitCalls(
    Func<SvcClient, Task<string>> CreateAsync,
    Func<SvcClient, string, IEnumerable<string>, Task<SplitUpload>> UploadAsync,
    Func<SvcClient, string, Task<string>> ReadAsync);

/// <summary>A member of the client.</summary>
internal sealed record Member(
    string Name,
    string Path,
    string? Graph,
    string Input,
    string Output,
    Func<SvcClient, string, Task<string>> CallAsync)
{
    /// <summary>Whether it is a pipeline member, whose responses are event streams.</summary>
    internal bool IsStream { get; init; }

    /// <summary>Calls it with streamed input, if it supports that.</summary>
    internal Func<SvcClient, IEnumerable<string>, Task<string>>? UploadAsync { get; init; }

    /// <summary>Its split streams, if it supports them.</summary>
    internal SplitCalls? Split { get; init; }

    /// <summary>Opens a live session, if it supports them, sends a message and reads one.</summary>
    internal Func<SvcClient, string, Task<string>>? ConverseAsync { get; init; }

    /// <summary>Follows its run, if it is a flow that has executions.</summary>
    internal Func<SvcClient, IAsyncEnumerable<ExecutionEvent>>? Follow { get; init; }

    /// <summary>Returns the response of the service with an output.</summary>
    /// <param name="output">The output.</param>
    /// <param name="inputs">The number of messages that arrived.</param>
    internal Response ResponseOf(string output, int inputs = 1)
    {
        if (IsStream)
        {
            var last = $"{{\"is_final\":true,\"success\":true,\"input_frames\":{inputs}}}";
            return new Response($"data: {{\"payload\":{output}}}\n\ndata: {last}\n\n", 200, "Content-Type: text/event-stream");
        }

        return new Response(Graph is null
            ? output
            : $"{{\"execution_id\":\"{ScriptedServer.ExecutionId}\",\"result\":{{\"success\":true,\"output\":{output}}}}}");
    }

    /// <summary>Reads a stream of one message.</summary>
    internal static async Task<string> FirstAsync<T>(IAsyncEnumerable<T> outputs, Func<T, string> print)
    {
        var texts = new List<string>();
        await foreach (var output in outputs)
        {
            texts.Add(print(output));
        }

        return texts.Single();
    }
}
