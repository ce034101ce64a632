using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace Svc.Runtime;

/// <summary>The trace span and the metrics of one call. Their source and meter have the name and version of the package.</summary>
internal sealed class CallTelemetry : IDisposable
{
    private const string Name = "Svc.Runtime";

    private static readonly string? Version = typeof(CallTelemetry).Assembly.GetName().Version?.ToString(3);
    private static readonly ActivitySource Activities = new(Name, Version);
    private static readonly Meter Metrics = new(Name, Version);
    private static readonly Histogram<double> Durations =
        Metrics.CreateHistogram<double>("svc.client.call.duration", "s", "Duration of calls, retries included.");

    private static readonly Counter<long> Attempts =
        Metrics.CreateCounter<long>("svc.client.attempts", "{attempt}", "Requests sent, retries included.");

    private readonly string _operation;
    private readonly Activity? _activity;
    private readonly long _startedAt = Stopwatch.GetTimestamp();
    private string? _errorType;

    internal CallTelemetry(string operation)
    {
        _operation = operation;
        _activity = Activities.StartActivity(operation, ActivityKind.Client);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        var tags = new TagList { { "svc.operation", _operation } };
        if (_errorType is not null)
        {
            tags.Add("error.type", _errorType);
        }

        Durations.Record(Stopwatch.GetElapsedTime(_startedAt).TotalSeconds, tags);
        _activity?.Dispose();
    }

    internal void Count(int sent, string? executionId)
    {
        Attempts.Add(sent, new KeyValuePair<string, object?>("svc.operation", _operation));
        _activity?.SetTag("svc.attempts", sent).SetTag("svc.execution_id", executionId);
    }

    /// <summary>Records a failure, other than a cancellation by the program or a paused run.</summary>
    internal void Fail(Exception failure)
    {
        if (failure is OperationCanceledException or FlowPausedException)
        {
            return;
        }

        _errorType = failure.GetType().Name;
        _activity?.SetTag("error.type", _errorType).SetStatus(ActivityStatusCode.Error, failure.Message);
    }
}
