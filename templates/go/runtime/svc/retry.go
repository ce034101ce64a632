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

// longestRetryAfter is how long the service may ask to wait; a call that should
// wait longer fails at once.
const longestRetryAfter = time.Minute

// mayPass tells whether another attempt may succeed: after connection errors and
// the statuses 408, 429 and 5xx.
func mayPass(failure *APIError) bool {
	if errors.Is(failure, ErrConnection) {
		return true
	}
	status := failure.Status
	return errors.Is(failure, ErrStatus) && (status == http.StatusRequestTimeout ||
		status == http.StatusTooManyRequests || status >= 500)
}

// delayBefore chooses the wait before a retry, counted from 1. What the service
// asks for goes first; false when that is more than a call has patience for.
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

// parseRetryAfter reads the header Retry-After, seconds or a date.
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

// isSeconds tells whether a text is made of digits, perhaps with a fraction.
func isSeconds(text string) bool {
	whole, fraction, hasFraction := strings.Cut(text, ".")
	return isDigits(whole, len(text)) && (!hasFraction || isDigits(fraction, len(text)))
}

// parseSeconds reads a JSON number of seconds; a wait beyond all patience, and beyond
// what a number holds, is cut.
func parseSeconds(text string) (time.Duration, bool) {
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || !(seconds >= 0) {
		return 0, false
	}
	return time.Duration(min(seconds, 1e9) * float64(time.Second)), true
}

// Retries of the budget, in tenths, so that sums are exact.
const (
	budgetCapacity = 100
	retryCost      = 10
)

// retryBudget keeps the retries of a client in proportion to its successes, so that
// many clients together cannot storm a service that is down: there are ten retries
// at first, and every call that succeeds gives a tenth of one back.
type retryBudget struct {
	mutex sync.Mutex
	spent int
}

// take takes one retry; false when there is none.
func (b *retryBudget) take() bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.spent+retryCost > budgetCapacity {
		return false
	}
	b.spent += retryCost
	return true
}

// succeeded counts a call that succeeded.
func (b *retryBudget) succeeded() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.spent = max(0, b.spent-1)
}
