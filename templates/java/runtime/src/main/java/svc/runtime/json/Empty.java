package svc.runtime.json;

/** A message without fields ({@code google.protobuf.Empty}). */
public record Empty() {}
