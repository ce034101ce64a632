package svc

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// longestRetryAfter is the longest Retry-After that a call honours. Beyond it, the
// call fails.
const longestRetryAfter = time.Minute

// mayPass reports whether an error is transient: a connection error or status 408,
// 429 or 5xx.
func mayPass(failure *APIError) bool {
	if errors.Is(failure, ErrConnection) {
		return true
	}
	status := failure.Status
	return errors.Is(failure, ErrStatus) && (status == http.StatusRequestTimeout ||
		status == http.StatusTooManyRequests || status >= 500)
}

// delayBefore returns the delay before a retry, where 1 is the first. The Retry-After
// of the service takes precedence. It reports false if that is too long.
func (s *settings) delayBefore(retry int, failure *APIError) (time.Duration, bool) {
	if asked := failure.RetryAfter; asked != nil {
		return *asked, *asked <= longestRetryAfter
	}
	bound := s.firstDelay
	for range retry - 1 {
		if bound >= s.longestDelay {
			break
		}
		bound *= 2
	}
	bound = min(bound, s.longestDelay)
	if bound <= 0 {
		return 0, true
	}
	return rand.N(bound), true
}

// parseRetryAfter parses a Retry-After header: seconds or a date.
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
	return isDigits(whole, len(text)) && (!hasFraction || isDigits(fraction, len(text)))
}

// parseSeconds parses a JSON number of seconds, capped to avoid overflow.
func parseSeconds(text string) (time.Duration, bool) {
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || !(seconds >= 0) {
		return 0, false
	}
	return time.Duration(min(seconds, 1e9) * float64(time.Second)), true
}

// Counted in tenths of a retry, which keeps the arithmetic exact.
const (
	budgetCapacity = 100
	retryCost      = 10
)

// retryBudget is a token bucket that limits the retries of a client while the service
// is failing. It starts with ten retries. Each successful call returns a tenth of a
// retry.
type retryBudget struct {
	mutex sync.Mutex
	spent int
}

// take takes one retry. It reports false if the budget is exhausted.
func (b *retryBudget) take() bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.spent+retryCost > budgetCapacity {
		return false
	}
	b.spent += retryCost
	return true
}

// succeeded records a successful call.
func (b *retryBudget) succeeded() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.spent = max(0, b.spent-1)
}
