using System.Text.Json;

namespace Svc.Runtime;

/// <summary>An invalid value. Its path is extended while it propagates.</summary>
internal sealed class ValueProblem : Exception
{
    internal ValueProblem(string message, string path = "")
        : base(message) => Path = path;

    /// <summary>The path of the value, such as <c>lines[2].price</c>. Empty for the message.</summary>
    internal string Path { get; }

    /// <summary>Prepends a field or key to the path.</summary>
    internal ValueProblem Beneath(string step) =>
        new(Message, Path.Length == 0 || Path[0] == '[' ? step + Path : $"{step}.{Path}");

    /// <summary>Prepends a list index to the path.</summary>
    internal ValueProblem Beneath(int index) => Beneath($"[{index}]");

    /// <summary>Returns the problem of a value of the wrong type.</summary>
    internal static ValueProblem Expected(string what, JsonTokenType got) => new($"expected {what}, got {KindOf(got)}");

    private static string KindOf(JsonTokenType token) => token switch
    {
        JsonTokenType.Null => "null",
        JsonTokenType.True or JsonTokenType.False => "a boolean",
        JsonTokenType.Number => "a number",
        JsonTokenType.String => "a string",
        JsonTokenType.StartArray => "a list",
        _ => "an object",
    };
}
