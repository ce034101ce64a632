using System.Text.Json;

namespace Svc.Runtime;

/// <summary>A value of the service that is identified by its name, such as a status.</summary>
internal interface IOpenName<TSelf> : IProtoJson<TSelf>
    where TSelf : struct, IOpenName<TSelf>
{
    static abstract TSelf FromName(string name);

    string Name { get; }
}

internal sealed class NameCodec<T>() : Codec<T>(typeof(T).Name)
    where T : struct, IOpenName<T>
{
    internal static readonly NameCodec<T> Instance = new();

    internal override T Read(ref Utf8JsonReader reader) => reader.TokenType == JsonTokenType.String
        ? JsonText.TextOf(ref reader) is { Length: > 0 } name ? T.FromName(name) : default
        : throw ValueProblem.Expected("a name", reader.TokenType);

    internal override void Write(Utf8JsonWriter writer, T value) => writer.WriteStringValue(JsonText.Check(value.Name));
}
