namespace Svc.Runtime;

/// <summary>A type with a ProtoJSON form: messages, enums, statuses and well-known types.</summary>
/// <typeparam name="TSelf">The type itself.</typeparam>
public interface IProtoJson<TSelf>
    where TSelf : IProtoJson<TSelf>
{
    /// <summary>Encodes and decodes values of the type.</summary>
    static abstract Codec<TSelf> Codec { get; }
}
