using System.Text.Json;

namespace Svc.Runtime;

/// <summary>A generated message.</summary>
internal interface IMessage<TSelf> : IProtoJson<TSelf>
    where TSelf : class, IMessage<TSelf>
{
    static abstract MessageType<TSelf> Descriptor { get; }
}

internal sealed class MessageCodec<T>() : Codec<T>(typeof(T).Name)
    where T : class, IMessage<T>
{
    internal static readonly MessageCodec<T> Instance = new();

    internal override T Read(ref Utf8JsonReader reader) => T.Descriptor.Read(ref reader);

    internal override void Write(Utf8JsonWriter writer, T value) =>
        T.Descriptor.Write(writer, value ?? throw new ValueProblem("expected a message, got null"));
}
