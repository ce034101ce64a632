using System.Text.Json;

namespace Svc.Runtime;

/// <summary>A value that does not fit. Its path grows while it travels outwards.</summary>
internal sealed class ValueProblem : Exception
{
    internal ValueProblem(string message, string path = "")
        : base(message) => Path = path;

    /// <summary>Where the value stands: <c>lines[2].price</c>; empty at the root.</summary>
    internal string Path { get; }

    /// <summary>The value stands beneath a field or a key.</summary>
    internal ValueProblem Beneath(string step) =>
        new(Message, Path.Length == 0 || Path[0] == '[' ? step + Path : $"{step}.{Path}");

    /// <summary>The value is an item of a list.</summary>
    internal ValueProblem Beneath(int index) => Beneath($"[{index}]");

    /// <summary>The value is of another kind than the message says.</summary>
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
