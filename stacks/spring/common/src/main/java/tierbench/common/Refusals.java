package tierbench.common;

import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.servlet.ModelAndView;

/**
 * The error page of refusals. All other errors are left to Spring Boot, which shows the same
 * template.
 */
@ControllerAdvice
class Refusals {
  /** The results are in the order of the parameters. */
  @ExceptionHandler
  ModelAndView wrongParameter(HandlerMethodValidationException wrong) {
    var first = wrong.getParameterValidationResults().get(0).getMethodParameter();
    return refused(Refusal.parameter(first.getParameterName()));
  }

  @ExceptionHandler
  ModelAndView refused(Refusal refusal) {
    ModelAndView page = new ModelAndView("error", refusal.getStatus());
    return page.addObject("refusal", refusal);
  }
}
