#pragma once

bool ranks_are_right();
