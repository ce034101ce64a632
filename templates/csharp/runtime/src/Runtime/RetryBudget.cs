namespace Svc.Runtime;

/// <summary>
/// Keeps the retries of a client in proportion to its successes, so that many clients together cannot storm a service that is
/// down: there are ten retries at first, and every call that succeeds gives a tenth of one back.
/// </summary>
internal sealed class RetryBudget
{
    // In tenths of a retry, so that sums are exact.
    private const int Capacity = 100;
    private const int RetryCost = 10;

    private readonly object _gate = new();
    private int _left = Capacity;

    /// <summary>Takes one retry; false when there is none.</summary>
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

    /// <summary>Counts a call that succeeded.</summary>
    internal void Succeed()
    {
        lock (_gate)
        {
            _left = Math.Min(Capacity, _left + 1);
        }
    }
}
