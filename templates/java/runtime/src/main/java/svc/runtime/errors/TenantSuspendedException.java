package svc.runtime.errors;

/** 403: the tenant is suspended. */
public class TenantSuspendedException extends ForbiddenException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param message a human-readable description
   * @param details further details
   */
  public TenantSuspendedException(String message, ErrorDetails details) {
    super(message, details);
  }
}
