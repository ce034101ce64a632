package svc.runtime.core;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;

/** Collects log messages. */
class Lines implements System.Logger {
  final List<String> all = new ArrayList<>();

  @Override
  public String getName() {
    return "lines";
  }

  @Override
  public boolean isLoggable(Level level) {
    return true;
  }

  @Override
  public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
    all.add(message);
  }

  @Override
  public void log(Level level, ResourceBundle bundle, String format, Object... params) {
    all.add(format);
  }
}
