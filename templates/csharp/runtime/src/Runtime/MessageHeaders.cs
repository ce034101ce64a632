using System.Net.Http.Headers;

namespace Svc.Runtime;

/// <summary>The headers of requests and responses.</summary>
internal static class MessageHeaders
{
    /// <summary>Adds headers to a request, replacing those with the same name.</summary>
    internal static void Add(HttpRequestMessage message, IReadOnlyDictionary<string, string> headers)
    {
        foreach (var (name, value) in headers)
        {
            // .NET stores some headers with the content.
            HttpHeaders? all = IsOfContent(name) ? message.Content?.Headers : message.Headers;
            if (all is not null)
            {
                all.Remove(name);
                all.TryAddWithoutValidation(name, value);
            }
        }
    }

    /// <summary>Reports whether .NET stores a header with the content.</summary>
    private static bool IsOfContent(string name) =>
        name.StartsWith("Content-", StringComparison.OrdinalIgnoreCase)
        || name.Equals("Allow", StringComparison.OrdinalIgnoreCase)
        || name.Equals("Expires", StringComparison.OrdinalIgnoreCase)
        || name.Equals("Last-Modified", StringComparison.OrdinalIgnoreCase);

    /// <summary>Returns the headers of a response.</summary>
    internal static Dictionary<string, string> Of(HttpResponseMessage head)
    {
        var headers = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach (var (name, values) in head.Headers.NonValidated)
        {
            headers[name] = values.ToString();
        }

        foreach (var (name, values) in head.Content.Headers.NonValidated)
        {
            headers[name] = values.ToString();
        }

        return headers;
    }
}
