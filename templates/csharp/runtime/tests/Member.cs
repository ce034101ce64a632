namespace Svc.Runtime.Tests;

/// <summary>A member of the client.</summary>
internal sealed record Member(
    string Name,
    string Path,
    string? Graph,
    string Input,
    string Output,
    Func<SvcClient, string, Task<string>> CallAsync)
{
    /// <summary>The response of the service with an output.</summary>
    internal string AnswerOf(string output) => Graph is null
        ? output
        : $"{{\"execution_id\":\"{ScriptedServer.ExecutionId}\",\"result\":{{\"success\":true,\"output\":{output}}}}}";
}
