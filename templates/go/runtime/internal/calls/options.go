package calls

import (
	"log/slog"
	"net/url"
	"os"
	"strings"
	"time"

	"svc.runtime/internal/config"
	"svc.runtime/svc"
)

// clientConfig validates the options of a client and applies defaults.
func clientConfig(options []svc.Option) (config.Config, error) {
	c := config.Config{
		Timeout:      60 * time.Second,
		MaxRetries:   2,
		RetryBudget:  100,
		FirstDelay:   500 * time.Millisecond,
		LongestDelay: 8 * time.Second,
		Logger:       slog.New(slog.DiscardHandler),
	}
	if err := apply(&c, options); err != nil {
		return c, err
	}
	if !c.APIKey.IsGiven() {
		c.APIKey = config.NewSecret(os.Getenv("SVC_API_KEY"))
	}
	if c.BaseURL == "" {
		c.BaseURL = os.Getenv("SVC_BASE_URL")
	}
	if c.HTTP == nil {
		c.HTTP = sharedHTTPClient()
	}
	return c, complete(&c)
}

// callConfig returns the configuration of a client with the options of a call applied.
func callConfig(client config.Config, options []svc.Option) (config.Config, error) {
	if len(options) == 0 {
		return client, nil
	}
	client.IsCall = true
	if err := apply(&client, options); err != nil {
		return client, err
	}
	return client, complete(&client)
}

func apply(c *config.Config, options []svc.Option) error {
	for _, option := range options {
		if option == nil {
			continue
		}
		if err := option(c); err != nil {
			return err
		}
	}
	return nil
}

// complete checks the API key and the base URL, and prepares the HTTP client.
func complete(c *config.Config) error {
	key := c.APIKey.Text()
	if key == "" {
		return configurationError("no API key: set SVC_API_KEY or pass WithAPIKey")
	}
	if !config.IsVisible(key) {
		return configurationError("the API key is malformed: it must contain only visible ASCII characters; check for spaces or line breaks around it")
	}
	if c.BaseURL == "" {
		return configurationError("no base URL: set SVC_BASE_URL or pass WithBaseURL")
	}
	address, err := url.Parse(c.BaseURL)
	if err != nil || address.Host == "" || (address.Scheme != "http" && address.Scheme != "https") {
		return configurationError("the base URL must be an HTTP or HTTPS URL such as https://svc.example.com")
	}
	if address.User != nil || strings.ContainsAny(c.BaseURL, "?#") {
		return configurationError("the base URL must not contain a user, a query or a fragment")
	}
	c.BaseURL = strings.TrimRight(c.BaseURL, "/")
	c.HTTP = withoutRedirects(c.HTTP)
	return nil
}

func configurationError(message string) *svc.APIError {
	return &svc.APIError{Kind: svc.ErrConfiguration, Message: message}
}
