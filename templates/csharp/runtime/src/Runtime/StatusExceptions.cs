namespace Svc.Runtime;

/// <summary>The service answered with a status that is not 2xx.</summary>
public class StatusException : SvcException
{
    internal StatusException(string message, ApiResponse answer)
        : base(message, answer)
    {
    }
}

/// <summary>400: the service does not take the input.</summary>
public sealed class BadRequestException : StatusException
{
    internal BadRequestException(string message, ApiResponse answer)
        : base(message, answer)
    {
    }
}

/// <summary>401: the API key is not valid.</summary>
public sealed class UnauthorizedException : StatusException
{
    internal UnauthorizedException(string message, ApiResponse answer)
        : base(message, answer)
    {
    }
}

/// <summary>403: the API key may not do this.</summary>
public class ForbiddenException : StatusException
{
    internal ForbiddenException(string message, ApiResponse answer)
        : base(message, answer)
    {
    }
}

/// <summary>403: the tenant is suspended.</summary>
public sealed class TenantSuspendedException : ForbiddenException
{
    internal TenantSuspendedException(string message, ApiResponse answer)
        : base(message, answer)
    {
    }
}

/// <summary>403: the app key is not for this flow.</summary>
public sealed class AppKeyGraphDeniedException : ForbiddenException
{
    internal AppKeyGraphDeniedException(string message, ApiResponse answer)
        : base(message, answer)
    {
    }
}

/// <summary>404: there is no such thing.</summary>
public sealed class NotFoundException : StatusException
{
    internal NotFoundException(string message, ApiResponse answer)
        : base(message, answer)
    {
    }
}

/// <summary>413: the input is too large.</summary>
public sealed class PayloadTooLargeException : StatusException
{
    internal PayloadTooLargeException(string message, ApiResponse answer)
        : base(message, answer)
    {
    }
}

/// <summary>422: the node itself returned an error.</summary>
public sealed class NodeFailedException : StatusException
{
    internal NodeFailedException(string message, ApiResponse answer)
        : base(message, answer)
    {
    }
}

/// <summary>429: too many calls.</summary>
public class RateLimitedException : StatusException
{
    internal RateLimitedException(string message, ApiResponse answer)
        : base(message, answer)
    {
    }
}

/// <summary>429: a quota is used up.</summary>
public sealed class QuotaExceededException : RateLimitedException
{
    internal QuotaExceededException(string message, ApiResponse answer)
        : base(message, answer)
    {
    }
}

/// <summary>5xx: the service failed.</summary>
public class ServerException : StatusException
{
    internal ServerException(string message, ApiResponse answer)
        : base(message, answer)
    {
    }
}

/// <summary>502, 503 or 504: the node cannot be reached at the moment.</summary>
public sealed class UpstreamUnavailableException : ServerException
{
    internal UpstreamUnavailableException(string message, ApiResponse answer)
        : base(message, answer)
    {
    }
}
