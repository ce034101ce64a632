using System.Runtime.CompilerServices;

namespace Svc.Runtime;

/// <summary>Calls about the pauses of all runs.</summary>
internal static class PauseCalls
{
    private const string Path = "/invocations/v1/pauses";

    internal static IAsyncEnumerable<Pause> ListAsync(
        Connection connection,
        PauseFilter? filter,
        CallOptions? options,
        CancellationToken cancellationToken) => ReadAsync(connection, filter, options?.Copy(), cancellationToken);

    private static async IAsyncEnumerable<Pause> ReadAsync(
        Connection connection,
        PauseFilter? filter,
        CallOptions? options,
        [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        string? cursor = null;
        do
        {
            var place = cursor;
            var query = (filter ?? PauseFilter.All).QueryAfter(place);
            var page = await connection.CallAsync(
                "ListPauses",
                options,
                async call => PausePage.Read(await call.GetAsync(Path + query).ConfigureAwait(false), place),
                null,
                cancellationToken).ConfigureAwait(false);
            foreach (var pause in page.Pauses)
            {
                cancellationToken.ThrowIfCancellationRequested();
                yield return pause;
            }

            cursor = page.NextCursor;
        }
        while (cursor is not null);
    }
}
