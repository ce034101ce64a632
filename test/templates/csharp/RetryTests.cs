using Xunit;

namespace Svc.Runtime.Tests;

public class RetryTests
{
    [Fact]
    public void TheBudgetHasTenRetriesAndGrowsByTenths()
    {
        var budget = new RetryBudget();
        Assert.Equal(10, Enumerable.Range(0, 12).Count(_ => budget.Take()));
        for (var call = 0; call < 9; call++)
        {
            budget.Succeed();
        }

        Assert.False(budget.Take());
        budget.Succeed();
        Assert.True(budget.Take());
    }

    [Theory]
    [InlineData("0", 0.0)]
    [InlineData(" 2 ", 2.0)]
    [InlineData("1.5", 1.5)]
    [InlineData("Thu, 01 Jan 1970 00:00:00 GMT", 0.0)]
    [InlineData("-1", null)]
    [InlineData("soon", null)]
    [InlineData("", null)]
    public void RetryAfterIsSecondsOrADate(string header, double? seconds) =>
        Assert.Equal(seconds, RetryPolicy.ParseRetryAfter(header)?.TotalSeconds);

    [Fact]
    public void TheKeyIsTakenFromTextsBytesAndErrors()
    {
        var key = new ApiKey("secret-key");
        Assert.Equal("[redacted]", key.ToString());
        Assert.Equal("a [redacted] b", key.Redact("a secret-key b"));
        Assert.Equal("[redacted]"u8.ToArray(), key.Redact("secret-key"u8.ToArray()));
        var error = key.Redact(new InvalidOperationException("x", new InvalidOperationException("secret-key")));
        Assert.DoesNotContain("secret-key", error.ToString(), StringComparison.Ordinal);
    }
}
