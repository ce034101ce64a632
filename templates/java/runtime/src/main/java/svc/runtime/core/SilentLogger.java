package svc.runtime.core;

import java.util.ResourceBundle;

/** A logger that discards everything. */
final class SilentLogger implements System.Logger {
  @Override
  public String getName() {
    return "svc";
  }

  @Override
  public boolean isLoggable(Level level) {
    return false;
  }

  @Override
  public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {}

  @Override
  public void log(Level level, ResourceBundle bundle, String format, Object... params) {}
}
