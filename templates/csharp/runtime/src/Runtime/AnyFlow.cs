using System.Text.Json;

namespace Svc.Runtime;

/// <summary>Runs of any flow, whose output is JSON.</summary>
internal static class AnyFlow
{
    private static readonly JsonCodec Output = new();

    /// <summary>Returns a handle to a run by its id. Sends no request.</summary>
    /// <exception cref="ArgumentException">The id is malformed.</exception>
    internal static Execution<JsonElement> ExecutionOf(Connection connection, string id) =>
        new(connection, ExecutionId.Check(id), Output);
}
