package calls

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"svc.runtime/internal/config"
	"svc.runtime/svc"
)

// longestRetryAfter is the longest Retry-After that a call honours. A longer one fails the
// call.
const longestRetryAfter = time.Minute

// longestRetrying is how long after the first failed attempt to start a run a retry may begin.
// The service forgets idempotency keys after five minutes.
const longestRetrying = 4 * time.Minute

// longestTime stands for no time limit.
const longestTime time.Duration = 1<<63 - 1

// longestJitter is the maximum random time added to a Retry-After.
const longestJitter = 5 * time.Second

// shortestPace is the minimum Retry-After of a 429 that does not count as a retry. Without it,
// a service that asks for milliseconds would be called without end.
const shortestPace = time.Second

// isPaced reports whether the service turned a request away and said when to come back. The
// service did no work for the request, so the attempt counts neither as a retry nor against the
// budget.
func isPaced(failure *svc.APIError) bool {
	return failure.Status == http.StatusTooManyRequests && failure.RetryAfter != nil && *failure.RetryAfter >= shortestPace
}

// mayPass reports whether an error is transient: a connection error, an attempt that timed out
// before the call did, or a status of 408, 429 or 5xx. A status whose Retry-After is longer
// than longestRetryAfter is not transient.
func (c *call) mayPass(failure *svc.APIError) bool {
	if errors.Is(failure, svc.ErrConnection) || errors.Is(failure, svc.ErrTimedOut) {
		return c.ctx.Err() == nil
	}
	if failure.RetryAfter != nil && *failure.RetryAfter > longestRetryAfter {
		return false
	}
	status := failure.Status
	return errors.Is(failure, svc.ErrStatus) && (status == http.StatusRequestTimeout ||
		status == http.StatusTooManyRequests || status >= 500)
}

// delayBefore returns the delay before a retry, where 1 is the first. The Retry-After of the
// service takes precedence over backoff. Its jitter is up to its own length, or up to the usual
// delay of at most a second if that is longer. delayBefore reports false if the delay is too
// long or would outlast the time left.
func delayBefore(c *config.Config, retry int, failure *svc.APIError, left time.Duration) (time.Duration, bool) {
	bound := c.FirstDelay
	for range retry - 1 {
		if bound >= c.LongestDelay {
			break
		}
		bound *= 2
	}
	bound = min(bound, c.LongestDelay)
	if asked := failure.RetryAfter; asked != nil {
		if *asked > longestRetryAfter || *asked >= left {
			return 0, false
		}
		// Jitter keeps callers that were turned away together from returning together, even if
		// the service asks for no delay.
		jitter := max(*asked, min(bound, time.Second))
		return *asked + randomBelow(min(jitter, longestJitter, left-*asked)), true
	}
	delay := randomBelow(bound)
	return delay, delay < left
}

func randomBelow(bound time.Duration) time.Duration {
	if bound <= 0 {
		return 0
	}
	return rand.N(bound)
}

// parseRetryAfter parses a Retry-After header: seconds or an HTTP date.
func parseRetryAfter(header string, now time.Time) (time.Duration, bool) {
	text := strings.TrimSpace(header)
	if text == "" {
		return 0, false
	}
	if isSeconds(text) {
		return parseSeconds(text)
	}
	date, err := http.ParseTime(text)
	if err != nil {
		return 0, false
	}
	return max(0, date.Sub(now)), true
}

// isSeconds reports whether a string is a decimal number with an optional fraction.
func isSeconds(text string) bool {
	whole, fraction, hasFraction := strings.Cut(text, ".")
	return isDigits(whole) && (!hasFraction || isDigits(fraction))
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// parseSeconds parses a JSON number of seconds, capped to avoid overflow.
func parseSeconds(text string) (time.Duration, bool) {
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || !(seconds >= 0) {
		return 0, false
	}
	return time.Duration(min(seconds, 1e9) * float64(time.Second)), true
}

// retryCost is the cost of a retry in tenths. Whole numbers keep the arithmetic exact.
const retryCost = 10

// retryBudget is a token bucket that limits the retries of a client while the service
// is failing.
type retryBudget struct {
	// capacity is the number of retries at the start, or config.Unlimited.
	capacity int

	mutex sync.Mutex
	spent int
}

// take takes one retry. It reports false if the budget is exhausted.
func (b *retryBudget) take() bool {
	if b.capacity == config.Unlimited {
		return true
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if (b.spent+retryCost-1)/retryCost >= b.capacity {
		return false
	}
	b.spent += retryCost
	return true
}

// succeeded records a successful call. It refunds the retry if the call succeeded by one, and a
// tenth of a retry otherwise.
func (b *retryBudget) succeeded(byRetry bool) {
	refund := 1
	if byRetry {
		refund = retryCost
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.spent = max(0, b.spent-refund)
}
