namespace Svc.Runtime;

/// <summary>
/// A token bucket that limits the retries of a client while the service is failing. It starts full. A call that succeeds after a
/// retry returns one token; any other successful call returns a tenth of one.
/// </summary>
internal sealed class RetryBudget(int retries)
{
    // Counted in tenths of a retry, which keeps the arithmetic exact.
    private const int RetryCost = 10;

    private readonly object _gate = new();
    private readonly long _capacity = (long)retries * RetryCost;
    private long _left = (long)retries * RetryCost;

    /// <summary>Takes one token. Returns false if the budget is exhausted.</summary>
    internal bool Take()
    {
        lock (_gate)
        {
            if (_left < RetryCost)
            {
                return false;
            }

            _left -= RetryCost;
            return true;
        }
    }

    /// <summary>Records a successful call.</summary>
    /// <param name="byRetry">Whether the call took a retry.</param>
    internal void Succeed(bool byRetry)
    {
        lock (_gate)
        {
            _left = Math.Min(_capacity, _left + (byRetry ? RetryCost : 1));
        }
    }
}
