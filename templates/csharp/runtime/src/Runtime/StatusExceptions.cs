namespace Svc.Runtime;

/// <summary>The service returned an error status.</summary>
public class StatusException : SvcException
{
    internal StatusException(string message, ApiResponse response)
        : base(message, response)
    {
    }
}

/// <summary>400: the request is invalid.</summary>
public sealed class BadRequestException : StatusException
{
    internal BadRequestException(string message, ApiResponse response)
        : base(message, response)
    {
    }
}

/// <summary>401: the API key is missing, invalid, expired or revoked.</summary>
public sealed class UnauthorizedException : StatusException
{
    internal UnauthorizedException(string message, ApiResponse response)
        : base(message, response)
    {
    }
}

/// <summary>403: the API key lacks permission.</summary>
public class ForbiddenException : StatusException
{
    internal ForbiddenException(string message, ApiResponse response)
        : base(message, response)
    {
    }
}

/// <summary>403: the tenant is suspended.</summary>
public sealed class TenantSuspendedException : ForbiddenException
{
    internal TenantSuspendedException(string message, ApiResponse response)
        : base(message, response)
    {
    }
}

/// <summary>403: the app key does not cover this flow.</summary>
public sealed class AppKeyGraphDeniedException : ForbiddenException
{
    internal AppKeyGraphDeniedException(string message, ApiResponse response)
        : base(message, response)
    {
    }
}

/// <summary>404: the resource does not exist or is not deployed.</summary>
public sealed class NotFoundException : StatusException
{
    internal NotFoundException(string message, ApiResponse response)
        : base(message, response)
    {
    }
}

/// <summary>413: the input exceeds the size limit of the service.</summary>
public sealed class PayloadTooLargeException : StatusException
{
    internal PayloadTooLargeException(string message, ApiResponse response)
        : base(message, response)
    {
    }
}

/// <summary>
/// The node returned an error: 422, or the status of the response that started a stream (200) or a live session (101).
/// </summary>
public sealed class NodeFailedException : StatusException
{
    internal NodeFailedException(string message, ApiResponse response)
        : base(message, response)
    {
        ErrorCode = "node_failed";
    }

    /// <summary>Returns the exception for an error in the last frame of a stream.</summary>
    internal static NodeFailedException Of(string reason, ApiResponse response) => new(reason, response);
}

/// <summary>429: too many requests.</summary>
public class RateLimitedException : StatusException
{
    internal RateLimitedException(string message, ApiResponse response)
        : base(message, response)
    {
    }
}

/// <summary>429: a daily quota is exhausted until midnight UTC.</summary>
public sealed class QuotaExceededException : RateLimitedException
{
    internal QuotaExceededException(string message, ApiResponse response)
        : base(message, response)
    {
    }
}

/// <summary>5xx: the service failed.</summary>
public class ServerException : StatusException
{
    internal ServerException(string message, ApiResponse response)
        : base(message, response)
    {
    }
}

/// <summary>502, 503 or 504: a dependency of the service is temporarily unavailable.</summary>
public sealed class UpstreamUnavailableException : ServerException
{
    internal UpstreamUnavailableException(string message, ApiResponse response)
        : base(message, response)
    {
    }
}
