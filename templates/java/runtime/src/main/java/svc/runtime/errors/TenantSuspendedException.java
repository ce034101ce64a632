package svc.runtime.errors;

/** 403: the operator has suspended the tenant. */
public class TenantSuspendedException extends ForbiddenException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param message what happened, for people
   * @param details what is known beside it
   */
  public TenantSuspendedException(String message, ErrorDetails details) {
    super(message, details);
  }
}
