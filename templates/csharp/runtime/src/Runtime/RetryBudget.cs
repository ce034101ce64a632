namespace Svc.Runtime;

/// <summary>
/// A token bucket that limits the retries of a client while the service is failing. It starts with ten retries. Each
/// successful call returns a tenth of a retry.
/// </summary>
internal sealed class RetryBudget
{
    // Counted in tenths of a retry, which keeps the arithmetic exact.
    private const int Capacity = 100;
    private const int RetryCost = 10;

    private readonly object _gate = new();
    private int _left = Capacity;

    /// <summary>Takes one retry. Returns false if the budget is exhausted.</summary>
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
    internal void Succeed()
    {
        lock (_gate)
        {
            _left = Math.Min(Capacity, _left + 1);
        }
    }
}
